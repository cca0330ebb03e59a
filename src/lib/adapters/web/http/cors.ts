import type { RequestEvent } from '@sveltejs/kit';
import { isTrustedOrigin, PROGRAM_KEY_HEADER, PROOF_HEADER } from './request-headers.ts';

const METHODS = 'GET, POST, DELETE, OPTIONS';
const REQUEST_HEADERS = `content-type, authorization, ${PROGRAM_KEY_HEADER}, ${PROOF_HEADER}`;
/** The response headers that scripts of trusted origins may read. Listed by name, never `*`. */
const EXPOSED = 'set-auth-token, Retry-After, X-Retry-After';
/** How long a browser may cache a preflight, in seconds. */
const MAX_AGE = '600';

/** Lets pages of a trusted origin read API responses. Pages of any other origin get no header. */
export const allowTrustedPage = ({ request, locals }: RequestEvent, headers: Headers): void => {
	const origin = request.headers.get('origin');
	if (origin === null || !locals.target.isApi) return;
	if (!isTrustedOrigin(origin, locals.app.trustedOrigins)) return;
	headers.set('access-control-allow-origin', origin);
	headers.set('access-control-allow-credentials', 'true');
	headers.set('access-control-expose-headers', EXPOSED);
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
	if (isTrustedOrigin(headers.get('origin') ?? '', app.trustedOrigins)) {
		answered.set('access-control-allow-methods', METHODS);
		answered.set('access-control-allow-headers', REQUEST_HEADERS);
		answered.set('access-control-max-age', MAX_AGE);
	}
	return new Response(null, { status: 204, headers: answered });
};
