import type { Cookies, RequestEvent } from '@sveltejs/kit';
import { AuthCookies } from '../sessions/auth-cookies.ts';
import { pageToken } from '../forms/csrf-token.ts';
import { themeOf } from '../pages/theme-cookie.ts';
import { keepData, keepDocument, type KeptPage } from './kept-pages.ts';
import { isPlain, partsOf } from './plain-request.ts';

const NONCE_BYTES = 16;

/**
 * Calls `render`, except for documentation pages of unauthenticated callers. It renders those once
 * for all callers. Each response gets its own nonce, form token and browser key.
 */
export const serveKeptPage = (
	event: RequestEvent,
	render: () => Promise<Response>
): Response | Promise<Response> => {
	const { request, locals } = event;
	const isRead = request.method === 'GET' || request.method === 'HEAD';
	if (!isRead || locals.user !== null || !locals.rules.renderedOnce) return render();
	const wanted = event.isDataRequest ? `data ${partsOf(event)}` : 'document';
	const params = JSON.stringify(event.params);
	const key = [event.route.id, params, themeOf(event.cookies), wanted].join(' ');
	const kept = locals.app.keptPages.get(key);
	return kept === null ? renderAndKeep(event, key, render) : answerOf(event, kept);
};

const renderAndKeep = async (
	event: RequestEvent,
	key: string,
	render: () => Promise<Response>
): Promise<Response> => {
	const rendered = await render();
	if (rendered.status !== 200 || !isPlain(event)) return rendered;
	const text = await rendered.text();
	const { headers } = rendered;
	const page = event.isDataRequest
		? keepData(text, headers)
		: keepDocument(text, headers, hereOf(event));
	if (page !== null) event.locals.app.keptPages.set(key, page);
	return new Response(text, rendered);
};

const answerOf = (event: RequestEvent, kept: KeptPage): Response => {
	const { app } = event.locals;
	const { cookies, lines } = recordedCookies(event.cookies);
	const cookieHeader = event.request.headers.get('cookie');
	const authCookies = new AuthCookies(cookies, cookieHeader, app.config.secure);
	const { body, headers } = kept.write({
		nonce: Buffer.from(app.random.bytes(NONCE_BYTES)).toString('base64'),
		formToken: kept.hasToken ? pageToken({ locals: { app, authCookies } }) : '',
		here: hereOf(event)
	});
	for (const line of lines) headers.append('set-cookie', line);
	return new Response(event.request.method === 'HEAD' ? null : body, { headers });
};

const hereOf = ({ url }: RequestEvent): string => url.pathname + url.search;

/**
 * Records cookies as header lines, because the framework adds cookies only to its own responses.
 */
const recordedCookies = (real: Cookies): { cookies: Cookies; lines: readonly string[] } => {
	const lines: string[] = [];
	const cookies: Cookies = {
		...real,
		set: (name, value, options) => void lines.push(real.serialize(name, value, options))
	};
	return { cookies, lines };
};
