import type { Handle } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';
import { isApiPath } from '../access.ts';
import { apiError, STORE_RETRY_AFTER } from '../api-error.ts';
import { answerFault } from '../faults.ts';

/**
 * What the headers of an answer owe to the request; the fixed ones are the server's
 * (security-headers.ts). Faults of the hooks further in are caught here for programs, which are to
 * get JSON whatever they accept; people get the error page.
 */
export const withHeaders: Handle = async ({ event, resolve }) => {
	const response = await answered();
	const headers = new Headers(response.headers);
	headers.append('vary', 'Origin, Sec-Fetch-Site');
	if (response.status === 503 && !headers.has('retry-after')) {
		headers.set('retry-after', String(STORE_RETRY_AFTER));
	}
	return new Response(response.body, {
		status: response.status,
		statusText: response.statusText,
		headers
	});

	async function answered(): Promise<Response> {
		if (!isDecodable(event.url.pathname)) return malformedPath(event.url.pathname);
		try {
			return await resolve(event);
		} catch (error) {
			if (!isApiPath(event.url.pathname)) throw error;
			return answerFault(event, error);
		}
	}
};

/**
 * Of a path such as `/%zz`. Nothing further in may see one: what is thrown there, a redirect to the
 * sign-in page for example, the framework lets escape, and that ends the process.
 */
const isDecodable = (pathname: string): boolean => {
	try {
		// Compared, because a bundler drops a call whose result nobody uses.
		return decodeURI(pathname) !== '';
	} catch {
		return false;
	}
};

const malformedPath = (pathname: string): Response =>
	isApiPath(pathname)
		? apiError(400, 'BAD_REQUEST', 'Malformed path')
		: new Response(messages.faults.badRequest, {
				status: 400,
				headers: { 'content-type': 'text/plain; charset=utf-8' }
			});
