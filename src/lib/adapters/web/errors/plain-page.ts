import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
import template from '../../../../error.html?raw';

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
	return new Response(written(String(status), message), { status, headers });
};

/** The same look for what failed elsewhere, in our own words: a link may carry any text as its code. */
export const errorPage = (code: string): Response => {
	const message = clientErrors.get(code.toUpperCase()) ?? messages.faults.elsewhere;
	const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
	return new Response(written('', message), { headers });
};

/** The codes that clients lead people here with. */
const clientErrors: ReadonlyMap<string, string> = new Map(Object.entries(messages.clientErrors));

const written = (status: string, message: string): string =>
	template
		.replace('Error %sveltekit.status%', () => (status === '' ? '' : `Error ${status}`))
		.replaceAll('%sveltekit.error.message%', () => message);
