import type { RequestEvent } from '@sveltejs/kit';
import type { ForwardAllow } from '#lib/config/forward-allow.ts';
import type { Email } from '#lib/domain/email.ts';
import type { User } from '#lib/domain/user.ts';
import { messages } from '#lib/messages/messages.ts';
import { signInLayouts } from '#lib/sign-in-layouts.ts';
import { signInPathTo } from '../edge/require-user.ts';
import { httpError } from '../http/http-errors.ts';
import { logEvent } from '../http/log-event.ts';
import { safePath } from '../http/paths.ts';
import { linkTo, plainPage } from '../http/plain-page.ts';
import { TextResponse } from '../http/responses.ts';

/**
 * Tells a reverse proxy whether a request may reach the application behind it. The proxy answers the
 * browser, so cookies that this response sets would be lost.
 */
export const answerProxy = (event: RequestEvent, user: User | null): Response => {
	const { app } = event.locals;
	const allow = app.config.forwardAllow;
	if (allow === null) return httpError('not_found');
	const checked = app.mayForward(event.getClientAddress()) ? checkedRequest(event.request) : null;
	if (checked === null) {
		logEvent(event, 'forward_refused', { reason: 'forwarded_headers' });
		return httpError('invalid_forwarded_headers');
	}
	if (user === null) return signedOut(event, checked);
	if (!isAllowed(allow, user.email)) {
		logEvent(event, 'forward_refused', { reason: 'not_allowed' });
		return checked.wantsPage
			? plainPage(event, 403, messages.forward.notAllowed)
			: httpError('forbidden');
	}
	return new TextResponse('', {
		status: 200,
		headers: {
			'x-postern-user': user.id,
			'x-postern-email': user.email,
			'x-postern-name': encodeURIComponent(user.name),
			'x-postern-cookie': withoutOwnCookies(event.request.headers.get('cookie') ?? '')
		}
	});
};

/**
 * The request that the proxy asks about. Null if a header of the proxy is missing or sent twice. With
 * `wantsPage`, a person sees the response. With `isNavigation`, the request also changes nothing, so the
 * browser can repeat it after the sign-in.
 */
const checkedRequest = ({ headers }: Request) => {
	const method = headers.get('x-forwarded-method') ?? '';
	const uri = headers.get('x-forwarded-uri') ?? '';
	if (!/^[A-Za-z-]+$/.test(method) || !/^\/[^\s\p{Cc}]*$/u.test(uri)) return null;
	const mode = headers.get('sec-fetch-mode');
	const wantsPage =
		mode === null ? /\btext\/html\b/i.test(headers.get('accept') ?? '') : mode === 'navigate';
	return { uri, wantsPage, isNavigation: wantsPage && (method === 'GET' || method === 'HEAD') };
};

const signedOut = (
	event: RequestEvent,
	{ uri, wantsPage, isNavigation }: NonNullable<ReturnType<typeof checkedRequest>>
): Response => {
	const { origin, signInLayout } = event.locals.app.config;
	if (!isNavigation) {
		const signIn = origin + signInLayouts[signInLayout].signIn;
		return wantsPage
			? plainPage(event, 401, messages.forward.notSaved, {
					link: linkTo(signIn, messages.common.signIn, 'target="_blank" ')
				})
			: httpError('unauthorized');
	}
	const target = safePath(uri, origin) ?? '/';
	const signIn = origin + signInPathTo(target, event.locals);
	if (event.url.searchParams.has('redirect')) {
		return new Response(null, { status: 302, headers: { location: signIn } });
	}
	const refusal = httpError('unauthorized');
	refusal.headers.set('x-postern-sign-in', signIn);
	return refusal;
};

/** A rule for a domain does not match its subdomains. */
const isAllowed = (allow: ForwardAllow, email: Email): boolean =>
	allow === '*' || allow.has(email) || allow.has(email.slice(email.indexOf('@')));

/** Parsers differ in what they skip before the name of a cookie, so this skips all of it. */
const OWN_COOKIE = /^[\s"=]*(?:__(?:Host|Secure)-)?postern_/i;

/**
 * Removes every cookie of ours. Splits at each semicolon, also between quotes: some parsers do, and
 * would find one of ours there.
 */
export const withoutOwnCookies = (header: string): string =>
	header
		.split(';')
		.filter((cookie) => !OWN_COOKIE.test(cookie))
		.join(';')
		.trim();
