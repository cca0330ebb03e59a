import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { httpError, type HttpErrorCode } from './http-errors.ts';
import { bearerToken, isScripted, isTrustedOrigin } from './request-headers.ts';
import { isSafeMethod } from './paths.ts';
import { plainPage } from './plain-page.ts';
import { logEvent } from './log-event.ts';

/**
 * Decides whether a state-changing request comes from an allowed page. Browsers send an origin with
 * every POST; API clients send none. A request without an origin is allowed, unless `requiresOrigin`
 * returns true. It is a function, because most requests do not need it.
 */
export const judgeOrigin = (
	{ method, headers }: Pick<Request, 'method' | 'headers'>,
	trusted: ReadonlySet<string>,
	requiresOrigin: () => boolean
): 'pass' | 'invalid_origin' | 'missing_or_null_origin' => {
	if (isSafeMethod(method)) return 'pass';
	const origin = headers.get('origin') ?? headers.get('expo-origin');
	if (origin === 'null') return 'missing_or_null_origin';
	const claimed = origin ?? refererOrigin(headers.get('referer'));
	if (claimed !== null) {
		return isTrustedOrigin(claimed, trusted) ? 'pass' : 'invalid_origin';
	}
	if (headers.get('sec-fetch-site') === 'cross-site') return 'invalid_origin';
	return requiresOrigin() ? 'missing_or_null_origin' : 'pass';
};

const refererOrigin = (referer: string | null): string | null => {
	if (referer === null || !URL.canParse(referer)) return referer;
	const { protocol, host } = new URL(referer);
	return `${protocol}//${host}`;
};

/**
 * The only origin check, for forms and JSON. Null if the request passes, as every one that only reads.
 * Returns a promise only if the store must be queried.
 */
export const checkOrigin = (event: RequestEvent): Response | null | Promise<Response | null> => {
	const { app, ownCookies, rules } = event.locals;
	const verdict = judgeOrigin(
		event.request,
		app.trustedOrigins,
		() => rules.requiresOriginWithCookie && ownCookies.get('sessionToken') !== null
	);
	if (verdict === 'pass') return null;
	return verdict === 'invalid_origin' ? refuseOrigin(event, verdict) : withoutOrigin(event);
};

/** A valid bearer token makes cookies irrelevant. Only the store can say whether it is valid. */
const withoutOrigin = async (event: RequestEvent): Promise<Response | null> => {
	const { headers } = event.request;
	const token = headers.get('origin') === null ? bearerToken(headers.get('authorization')) : null;
	if (token && (await event.locals.app.readSession({ token, mayRefresh: false }))) return null;
	return refuseOrigin(event, 'missing_or_null_origin');
};

const refuseOrigin = (event: RequestEvent, verdict: HttpErrorCode): Response => {
	const { app, target } = event.locals;
	logEvent(event, 'origin_refused', { route: target.routeId, verdict });
	return target.isApi || !isByPerson(event)
		? httpError(verdict)
		: plainPage(event, 403, messages.refusals.foreignForm(app.config.origin));
};

/**
 * A form post in a browser expects a page, and the page's own script expects the framework's JSON.
 * API clients expect our JSON.
 */
const isByPerson = (event: RequestEvent): boolean =>
	(event.request.headers.get('accept') ?? '').includes('text/html') || isScripted(event);
