import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import { isScripted } from '../http/scripted.ts';
import { tooManyRequests } from '../http/http-errors.ts';
import { plainPage, scriptError } from '../http/plain-page.ts';
import { logEvent } from '../http/log-event.ts';
import { limitWait } from './limits/limited-form.ts';
import { actionOf } from './limits/route-limits.ts';

/**
 * Counts a request against the limits of its client before any other work is done. Returns a
 * refusal, which names the form in `locals.limitedForm` if the page can show that form again.
 */
export const checkLimits = (event: RequestEvent): Response | null => {
	const { app, clientAddress, rules, target } = event.locals;
	// Reads the original URL, as the framework does.
	const action = (): string => actionOf(new URL(event.request.url).searchParams);
	const verdict = app.limits.hit(clientAddress, {
		method: event.request.method,
		routeId: target.routeId,
		pathname: target.pathname,
		action
	});
	if (verdict.allowed) return null;
	logEvent(event, 'rate_limited', { route: target.routeId, retryAfter: verdict.retryAfter });
	const { retryAfter } = verdict;
	if (target.isApi) return tooManyRequests(retryAfter);
	const message = messages.refusals.tooOften(retryAfter);
	if (isScripted(event)) {
		return scriptError(429, { message, wait: limitWait(retryAfter) }, retryAfter);
	}
	if (event.request.method === 'POST' && rules.showsLimitedForm) {
		event.locals.limitedForm = { action: action(), retryAfter };
	}
	return plainPage(event, 429, message, retryAfter);
};
