import { isHttpError, isRedirect, type RequestEvent } from '@sveltejs/kit';
import type { Handle } from '@sveltejs/kit/hooks';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { edgeError, methodNotAllowed, STORE_RETRY_AFTER } from '../errors/http-errors.ts';
import { corsHeaders } from '../security/cors.ts';
import { remoteError } from '../errors/remote-error.ts';
import { answerFault, logFault } from '../errors/unexpected.ts';
import { plainPage } from '../errors/plain-page.ts';
import { VARY } from '../security/headers.ts';

/** Their addresses carry a token, which no other site may see. Without any referrer browsers would send `Origin: null` with the form there. */
const TOKEN_ROUTES: readonly (string | null)[] = ['/auth/verify-email', '/api/auth/verify-email'];

/**
 * What the headers of an answer owe to the request; the fixed ones are the server's
 * (security-headers.ts). Whatever the hooks further in throw becomes an answer here, so that it has
 * these headers too: JSON for programs, a page for people.
 */
export const withHeaders: Handle = async ({ event, resolve }) => {
	const { app, requestId, target } = event.locals;
	const origin = event.request.headers.get('origin');
	const response = changeable(await answered(event, resolve), requestId);

	const { headers } = response;
	if (origin !== null) {
		const cors = corsHeaders(target.isApi, origin, app.trustedOrigins);
		for (const [name, value] of cors) headers.set(name, value);
	}
	if (headers.has('vary')) headers.append('vary', VARY);
	if (TOKEN_ROUTES.includes(target.routeId)) headers.set('referrer-policy', 'same-origin');
	if (headers.get('content-type') === 'text/html') {
		headers.set('content-type', 'text/html; charset=utf-8');
	}
	const policy = app.formTargets.length > 0 ? headers.get('content-security-policy') : null;
	if (policy !== null)
		headers.set('content-security-policy', withFormTargets(policy, app.formTargets));
	if (response.status === 503 && !headers.has('retry-after')) {
		headers.set('retry-after', String(STORE_RETRY_AFTER));
	}
	return response;
};

const answered = async (
	event: RequestEvent,
	resolve: (event: RequestEvent) => Promise<Response>
): Promise<Response> => {
	const { isApi } = event.locals.target;
	if (!isDecodable(event.url.pathname)) {
		return isApi
			? edgeError('bad_request', 'Malformed path')
			: plainPage(event, 400, messages.faults.badRequest);
	}
	try {
		const response = await resolve(event);
		return isBareRefusal(response) ? refusedMethod(event, response) : response;
	} catch (error) {
		if (isApi) return answerFault(event, error);
		// These the framework turns into what the browser asked for, a page or data.
		if (isRedirect(error) || isHttpError(error) || event.isDataRequest) throw error;
		logFault(event, error);
		if (event.isRemoteRequest) {
			return remoteError(
				error instanceof StoreUnavailable ? 'service_unavailable' : 'internal_error'
			);
		}
		return error instanceof StoreUnavailable
			? plainPage(event, 503, messages.faults.unavailable, STORE_RETRY_AFTER)
			: plainPage(event, 500, messages.faults.internal);
	}
};

/** The framework's own answer to a method that a route does not have: a line of text without a type. */
const isBareRefusal = ({ status, headers }: Response): boolean =>
	status === 405 && !headers.has('content-type');

const refusedMethod = (event: RequestEvent, { headers }: Response): Response => {
	const allowed = headers.get('allow') ?? 'GET, HEAD';
	if (event.locals.target.isApi) return methodNotAllowed([allowed]);
	const page = plainPage(event, 405, messages.faults.badMethod);
	page.headers.set('allow', allowed);
	return page;
};

/** Names it. What `fetch` and `Response.redirect` make cannot be changed; to copy every answer takes its time. */
const changeable = (response: Response, requestId: string): Response => {
	try {
		response.headers.set('x-request-id', requestId);
		return response;
	} catch {
		const copy = new Response(response.body, response);
		copy.headers.set('x-request-id', requestId);
		return copy;
	}
};

/**
 * Of a path such as `/%zz`. Nothing further in may see one: what is thrown there, a redirect to the
 * sign-in page for example, the framework lets escape, and that ends the process.
 */
const isDecodable = (pathname: string): boolean => {
	if (!pathname.includes('%')) return true;
	try {
		// The result is used, as a call that is not may be dropped by the bundler.
		return decodeURI(pathname) !== '';
	} catch {
		return false;
	}
};

/** A redirect after a form post is judged by where the form may go, so trusted sites are added at run time. */
const withFormTargets = (policy: string, targets: readonly string[]): string =>
	policy.replace("form-action 'self'", `form-action 'self' ${targets.join(' ')}`);
