import type { Handle } from '@sveltejs/kit/hooks';
import { isApiPath } from '../access.ts';
import { STORE_RETRY_AFTER } from '../api-error.ts';
import { answerFault } from '../faults.ts';

const always = {
	'x-content-type-options': 'nosniff',
	'referrer-policy': 'strict-origin-when-cross-origin',
	'x-frame-options': 'DENY',
	'cross-origin-opener-policy': 'same-origin',
	'cross-origin-resource-policy': 'same-origin',
	'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
};
/** Two years; the name of the site is known to be https once it was opened that way. */
const HSTS = 'max-age=63072000';

/**
 * Security headers for every answer. Faults of the hooks further in are caught here for programs,
 * which are to get JSON whatever they accept; people get the error page.
 */
export const withHeaders: Handle = async ({ event, resolve }) => {
	const response = await answered();
	const headers = new Headers(response.headers);
	for (const [name, value] of Object.entries(always)) headers.set(name, value);
	if (event.locals.app.config.secure) headers.set('strict-transport-security', HSTS);
	// Pages differ by who looks at them, so nothing rendered here is for a shared cache.
	if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
	if (response.status === 503 && !headers.has('retry-after')) {
		headers.set('retry-after', String(STORE_RETRY_AFTER));
	}
	headers.append('vary', 'Origin, Sec-Fetch-Site');
	return new Response(response.body, {
		status: response.status,
		statusText: response.statusText,
		headers
	});

	async function answered(): Promise<Response> {
		try {
			return await resolve(event);
		} catch (error) {
			if (!isApiPath(event.url.pathname)) throw error;
			return answerFault(event, error);
		}
	}
};
