import { corsHeaders, isPreflight, preflightAnswer } from '../security/cors.ts';
import type { Gate } from './run-checks.ts';

/** Answers a browser that asks what it may ask: once it was counted, before anything else is done. */
export const preflight: Gate = (event) => {
	const { method, headers } = event.request;
	const { app, target } = event.locals;
	if (!isPreflight(target.isApi, method, headers)) return null;
	return preflightAnswer(corsHeaders(target.isApi, headers.get('origin'), app.trustedOrigins));
};
