import type { RequestEvent } from '@sveltejs/kit';
import template from '../../../error.html?raw';

/**
 * An answer to a person where no page of the application can be shown, in the words and the look of
 * the framework's fallback. To a form that was sent by script it is the same in JSON.
 */
export const plainPage = (
	event: RequestEvent,
	status: number,
	message: string,
	retryAfter: number | null = null
): Response => {
	const headers = new Headers({ 'cache-control': 'no-store' });
	if (retryAfter !== null) headers.set('retry-after', String(retryAfter));
	if (event.request.headers.get('x-sveltekit-action') === 'true') {
		return Response.json({ type: 'error', error: { status, message } }, { status, headers });
	}
	headers.set('content-type', 'text/html; charset=utf-8');
	const html = template
		.replaceAll('%sveltekit.status%', String(status))
		.replaceAll('%sveltekit.error.message%', () => message);
	return new Response(html, { status, headers });
};
