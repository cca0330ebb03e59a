import { exactOrigin } from '#lib/config/addresses.ts';

const METHODS = 'GET, POST, OPTIONS';
const REQUEST_HEADERS = 'content-type, authorization';
/** What a program on another origin may read beside the body; by name, never `*`. */
const EXPOSED = 'set-auth-token, Retry-After, X-Retry-After';
/** How long a browser may remember a preflight, in seconds. */
const MAX_AGE = '600';

const NOTHING: ReadonlyMap<string, string> = new Map();

/** The headers that let a page of a trusted origin read an answer of the API; none for any other. */
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

/** Whether a browser asks what it may ask. It costs nothing to answer and tells nothing. */
export const isPreflight = (isApi: boolean, method: string, headers: Headers): boolean =>
	method === 'OPTIONS' && isApi && headers.has('access-control-request-method');

/** The answer to a preflight: what is allowed to a trusted origin, and nothing to others. */
export const preflightAnswer = (cors: ReadonlyMap<string, string>): Response => {
	const headers = new Headers();
	if (cors.size > 0) {
		headers.set('access-control-allow-methods', METHODS);
		headers.set('access-control-allow-headers', REQUEST_HEADERS);
		headers.set('access-control-max-age', MAX_AGE);
	}
	return new Response(null, { status: 204, headers });
};
