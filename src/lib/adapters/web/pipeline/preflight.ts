import { corsHeaders, isPreflight, preflightAnswer } from '../security/cors.ts';
import type { Check } from './run-checks.ts';

/** Answers CORS preflights. They are counted against the limits first, but need no other work. */
export const preflight: Check = (event) => {
	const { method, headers } = event.request;
	const { app, target } = event.locals;
	if (!isPreflight(target.isApi, method, headers)) return null;
	return preflightAnswer(corsHeaders(target.isApi, headers.get('origin'), app.trustedOrigins));
};
