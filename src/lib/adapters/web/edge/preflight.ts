import type { RequestEvent } from '@sveltejs/kit';
import { corsHeaders, preflightAnswer } from '../http/cors.ts';

/** Answers CORS preflights. They are counted against the limits first, but need no other work. */
export const answerPreflight = (event: RequestEvent): Response | null => {
	const { method, headers } = event.request;
	const { app, target } = event.locals;
	const isPreflight =
		method === 'OPTIONS' && target.isApi && headers.has('access-control-request-method');
	if (!isPreflight) return null;
	return preflightAnswer(corsHeaders(target.isApi, headers.get('origin'), app.trustedOrigins));
};
