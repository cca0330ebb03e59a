import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { httpError, type HttpErrorCode } from '../http/http-errors.ts';
import { bearerToken } from '../http/credential.ts';
import { judgeOrigin } from '../http/origin-policy.ts';
import { plainPage } from '../http/plain-page.ts';
import { logEvent } from '../http/log-event.ts';

/**
 * The only origin check, for forms and JSON. Requests that only read pass it. Returns a promise only
 * if the store must be queried.
 */
export const checkOrigin = (event: RequestEvent): Response | null | Promise<Response | null> => {
	const { app, authCookies, target, rules } = event.locals;
	const { headers } = event.request;
	const actsByCookie = (): boolean => rules.actsOnSession && authCookies.sessionToken() !== null;
	const verdict = judgeOrigin(
		{ method: event.request.method, headers, actsByCookie },
		app.trustedOrigins
	);
	if (verdict === 'pass') return null;
	if (verdict === 'invalid_origin') {
		logEvent(event, 'origin_refused', { route: target.routeId, verdict });
		return refused(event, 'invalid_origin');
	}

	return withoutOrigin(event);
};

/** A valid bearer token makes cookies irrelevant. Only the store can say whether it is valid. */
const withoutOrigin = async (event: RequestEvent): Promise<Response | null> => {
	const { headers } = event.request;
	const token = headers.get('origin') === null ? bearerToken(headers.get('authorization')) : null;
	if (token && (await event.locals.app.readSession({ token, mayRefresh: false }))) return null;
	logEvent(event, 'origin_refused', {
		route: event.locals.target.routeId,
		verdict: 'missing_origin'
	});
	return refused(event, 'missing_origin');
};

const refused = (event: RequestEvent, error: HttpErrorCode): Response =>
	event.locals.target.isApi || !isByPerson(event.request.headers)
		? httpError(error)
		: plainPage(event, 403, messages.refusals.foreignForm(event.locals.app.config.origin));

/**
 * A form post in a browser expects a page, and the page's own script expects the framework's JSON.
 * API clients expect our JSON.
 */
const isByPerson = (headers: Headers): boolean =>
	(headers.get('accept') ?? '').includes('text/html') ||
	headers.get('x-sveltekit-action') === 'true';
