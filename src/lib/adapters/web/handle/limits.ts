import { messages } from '#lib/messages/messages.ts';
import { tooManyRequests } from '../api-error.ts';
import { bearerToken } from '../bearer.ts';
import { isPlain } from '../pipeline/plain-request.ts';
import { plainPage } from '../plain-page.ts';
import { record } from '../record.ts';
import { actionOf } from '../route-limits.ts';
import type { Gate } from './gates.ts';

/** Counts a request against the limits of its client before any other work is done for it. */
export const limits: Gate = (event) => {
	const { app, authCookies, clientAddress, target } = event.locals;
	const verdict = app.limits.hit(clientAddress, {
		method: event.request.method,
		routeId: target.routeId,
		pathname: target.pathname,
		// As the framework reads it: from the address that was asked for.
		action: () => actionOf(new URL(event.request.url).searchParams),
		mayRender: () =>
			!isPlain(event) ||
			bearerToken(event.request.headers.get('authorization')) !== null ||
			authCookies.sessionToken() !== null
	});
	if (verdict.allowed) return null;
	record(event, 'rate_limited', { route: target.routeId, retryAfter: verdict.retryAfter });
	return target.isApi
		? tooManyRequests(verdict.retryAfter)
		: plainPage(event, 429, messages.faults.tooOften(verdict.retryAfter), verdict.retryAfter);
};
