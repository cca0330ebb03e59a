import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { tooManyRequests } from '../errors/http-errors.ts';
import { bearerToken } from '../sessions/credential.ts';
import { isPlain } from './plain-request.ts';
import { plainPage } from '../errors/plain-page.ts';
import { logEvent } from './log-event.ts';
import { actionOf } from '../limits/route-limits.ts';

/** Counts a request against the limits of its client before any other work is done. */
export const checkLimits = (event: RequestEvent): Response | null => {
	const { app, authCookies, clientAddress, target } = event.locals;
	const verdict = app.limits.hit(clientAddress, {
		method: event.request.method,
		routeId: target.routeId,
		pathname: target.pathname,
		// Reads the original URL, as the framework does.
		action: () => actionOf(new URL(event.request.url).searchParams),
		mayRender: () =>
			!isPlain(event) ||
			bearerToken(event.request.headers.get('authorization')) !== null ||
			authCookies.sessionToken() !== null
	});
	if (verdict.allowed) return null;
	logEvent(event, 'rate_limited', { route: target.routeId, retryAfter: verdict.retryAfter });
	return target.isApi
		? tooManyRequests(verdict.retryAfter)
		: plainPage(event, 429, messages.refusals.tooOften(verdict.retryAfter), verdict.retryAfter);
};
