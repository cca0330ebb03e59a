import type { RequestEvent } from '@sveltejs/kit';
import { messages } from '#lib/messages/messages.ts';
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
	return new Response(written(String(status), message), { status, headers });
};

/** The same look for what a client says has failed elsewhere. What it says is text, whatever it looks like. */
export const errorPage = (told: string): Response => {
	const text = told.slice(0, MAX_TOLD).replace(UNSEEN, ' ').trim();
	const message = text === '' ? messages.faults.elsewhere : escapeHtml(text);
	const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
	return new Response(written('', message), { headers });
};

const MAX_TOLD = 200;
/** Controls, and what turns the reading direction of the words around it. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

const written = (status: string, message: string): string =>
	template
		.replace('Error %sveltekit.status%', () => (status === '' ? '' : `Error ${status}`))
		.replaceAll('%sveltekit.error.message%', () => message);

const ENTITIES: Readonly<Record<string, string>> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&#39;'
};
const escapeHtml = (text: string): string =>
	text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
