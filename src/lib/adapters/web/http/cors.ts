import type { RequestEvent } from '@sveltejs/kit';
import { exactOrigin } from '#lib/config/addresses.ts';
import { PROGRAM_KEY_HEADER, PROOF_HEADER } from './request-headers.ts';

const METHODS = 'GET, POST, DELETE, OPTIONS';
const REQUEST_HEADERS = `content-type, authorization, ${PROGRAM_KEY_HEADER}, ${PROOF_HEADER}`;
/** The response headers that scripts of trusted origins may read. Listed by name, never `*`. */
const EXPOSED = 'set-auth-token, Retry-After, X-Retry-After';
/** How long a browser may cache a preflight, in seconds. */
const MAX_AGE = '600';

const NOTHING: ReadonlyMap<string, string> = new Map();

/**
 * CORS headers that let pages of a trusted origin read API responses. Empty for any other origin.
 */
export const corsHeaders = (
	isApi: boolean,
	origin: string | null,
	trusted: ReadonlySet<string>
): ReadonlyMap<string, string> => {
	if (origin === null || !isApi) return NOTHING;
	const exact = exactOrigin(origin);
	if (exact === null || !trusted.has(exact)) return NOTHING;
	return new Map([
		['access-control-allow-origin', origin],
		['access-control-allow-credentials', 'true'],
		['access-control-expose-headers', EXPOSED]
	]);
};

/**
 * Answers CORS preflights. They are counted against the limits first, but need no other work. Only
 * trusted origins receive any permissions.
 */
export const answerPreflight = (event: RequestEvent): Response | null => {
	const { method, headers } = event.request;
	const { app, target } = event.locals;
	const isPreflight =
		method === 'OPTIONS' && target.isApi && headers.has('access-control-request-method');
	if (!isPreflight) return null;
	const answered = new Headers();
	if (corsHeaders(true, headers.get('origin'), app.trustedOrigins).size > 0) {
		answered.set('access-control-allow-methods', METHODS);
		answered.set('access-control-allow-headers', REQUEST_HEADERS);
		answered.set('access-control-max-age', MAX_AGE);
	}
	return new Response(null, { status: 204, headers: answered });
};
