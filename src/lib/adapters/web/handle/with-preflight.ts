import type { Handle } from '@sveltejs/kit/hooks';
import { corsHeaders, isPreflight, preflightAnswer } from '../cors.ts';

/** Answers a browser that asks what it may ask: once it was counted, before anything else is done. */
export const withPreflight: Handle = ({ event, resolve }) => {
	const { method, headers } = event.request;
	const { pathname } = event.url;
	if (!isPreflight(pathname, method, headers)) return resolve(event);
	return preflightAnswer(
		corsHeaders(pathname, headers.get('origin'), event.locals.app.trustedOrigins)
	);
};
