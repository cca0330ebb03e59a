import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { plainPage } from '../../http/plain-page.ts';
import { isScripted } from '../../http/request-headers.ts';
import { httpError, scriptError } from '../../http/http-errors.ts';
import { logEvent } from '../../http/log-event.ts';
import { actionOf } from '../../http/paths.ts';

/**
 * Counts a request against the limits of its client, or of `client`. Returns the refusal of one over
 * a limit.
 */
export const checkLimits = (
	event: RequestEvent,
	client: string = event.locals.clientAddress
): Response | null => {
	const { app, rules, target } = event.locals;
	const { method, url } = event.request;
	// Reads the original URL, as the framework does.
	const action = (): string => actionOf(new URL(url).searchParams);
	const { pathname } = target;
	const retryAfter = app.hitLimits(client, { method, rules, pathname, action });
	if (retryAfter === 0) return null;
	logEvent(event, 'rate_limited', { route: target.routeId, retryAfter });
	if (target.isApi) return httpError('too_many_requests', undefined, retryAfter);
	const message = messages.refusals.tooOften(retryAfter);
	if (isScripted(event)) {
		// Whatever the fields of the form contain.
		const wait = { seconds: retryAfter, reason: messages.refusals.tooOftenNow, endsOnEdit: false };
		return scriptError(429, { message, wait }, retryAfter);
	}
	return plainPage(event, 429, message, { mayRetry: true, retryAfter });
};
