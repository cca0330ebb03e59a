import { isHttpError, isRedirect, type RequestEvent } from '@sveltejs/kit';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { messages } from '#lib/messages/messages.ts';
import { httpError, methodNotAllowed, STORE_RETRY_AFTER_S } from '../http/http-errors.ts';
import { allowTrustedPage } from '../http/cors.ts';
import { answerFault, logFault } from '../http/faults.ts';
import { isFallbackPage, plainPage } from '../http/plain-page.ts';
import { VARY } from '../http/security-headers.ts';

/**
 * Sets the response headers that depend on the request; `securityHeaders` has the fixed ones. Turns
 * anything that a later step throws into a response, so that it gets these headers too: JSON for
 * API clients, a page for people.
 */
export const withHeaders = async (
	event: RequestEvent,
	respond: () => Promise<Response>
): Promise<Response> => {
	const { app, requestId, rules } = event.locals;
	const response = withRequestId(await respondSafely(event, respond), requestId);

	const { headers } = response;
	allowTrustedPage(event, headers);
	// A `vary` of the response would replace the fixed one, so it gets the fixed names too.
	if (headers.has('vary')) headers.append('vary', VARY);
	// Not `no-referrer`, because browsers then send `Origin: null` with the form on the page.
	if (rules.urlHoldsToken) headers.set('referrer-policy', 'same-origin');
	if (headers.get('content-type') === 'text/html') {
		headers.set('content-type', 'text/html; charset=utf-8');
	}
	const { formRedirectOrigin } = event.locals;
	const targets =
		formRedirectOrigin === null ? app.formTargets : [...app.formTargets, formRedirectOrigin];
	const policy = targets.length > 0 ? headers.get('content-security-policy') : null;
	if (policy !== null) headers.set('content-security-policy', withFormTargets(policy, targets));
	// The response to a refused email is also 503, but sets its own `Retry-After` if waiting helps.
	if (response.status === 503 && event.locals.isStoreDown && !headers.has('retry-after')) {
		headers.set('retry-after', String(STORE_RETRY_AFTER_S));
	}
	return response;
};

const respondSafely = async (
	event: RequestEvent,
	respond: () => Promise<Response>
): Promise<Response> => {
	const { isApi } = event.locals.target;
	if (!isDecodable(event.url.pathname)) {
		return isApi
			? httpError('bad_request', 'Malformed path')
			: plainPage(event, 400, messages.faults.badRequest);
	}
	try {
		const response = await respond();
		if (isFallbackPage(response)) return faultPage(event, response.status === 503);
		// The framework's own response to an unsupported method is text without a content type.
		const isBare = response.status === 405 && !response.headers.has('content-type');
		return isBare ? refusedMethod(event, response) : response;
	} catch (error) {
		if (isApi) return answerFault(event, error);
		// The framework turns these into what the browser requested: a page or data.
		if (isRedirect(error) || isHttpError(error) || event.isDataRequest) throw error;
		logFault(event, error);
		return faultPage(event, error instanceof StoreUnavailable);
	}
};

const faultPage = (event: RequestEvent, isStoreDown: boolean): Response =>
	isStoreDown
		? plainPage(event, 503, messages.faults.unavailable, {
				mayRetry: true,
				retryAfter: STORE_RETRY_AFTER_S
			})
		: plainPage(event, 500, messages.faults.internal, { mayRetry: true });

const refusedMethod = (event: RequestEvent, { headers }: Response): Response => {
	const allowed = headers.get('allow') ?? 'GET, HEAD';
	if (event.locals.target.isApi) return methodNotAllowed([allowed]);
	const page = plainPage(event, 405, messages.faults.badMethod);
	page.headers.set('allow', allowed);
	return page;
};

/**
 * Sets the request id. Responses of `fetch` and `Response.redirect` have immutable headers and are
 * copied. Copying every response would be slow.
 */
const withRequestId = (response: Response, requestId: string): Response => {
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
 * False for a path such as `/%zz`. No later step may see such a path: the framework does not catch
 * what is thrown there, for example a redirect to the sign-in page, and the process would crash.
 */
const isDecodable = (pathname: string): boolean => {
	if (!pathname.includes('%')) return true;
	try {
		// The result is compared because the bundler may remove a call whose result is unused.
		return decodeURI(pathname) !== '';
	} catch {
		return false;
	}
};

/**
 * Browsers apply `form-action` to the redirect after a form post, too. The trusted sites are only
 * known at run time, so they are added here.
 */
const withFormTargets = (policy: string, targets: readonly string[]): string =>
	policy.replace("form-action 'self'", `form-action 'self' ${targets.join(' ')}`);
