import type { RequestEvent } from '@sveltejs/kit';
import type { ResolveOptions } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';
import { TextResponse } from '../http/responses.ts';

type Resolve = (event: RequestEvent, options?: ResolveOptions) => Promise<Response>;

/**
 * Calls the route of a page. Takes the text of the page from the framework, which would otherwise hash
 * it, encode it and turn it into a stream. That takes as long as rendering it. The hash would be for an
 * `etag`, but no browser stores a page.
 */
export const callRoute = async (event: RequestEvent, resolve: Resolve): Promise<Response> => {
	let page = '';
	const rendered = await resolve(event, {
		transformPageChunk: ({ html }) => {
			page += html;
			return '';
		}
	});
	// Not a page, such as a redirect.
	if (page === '') return rendered;
	const html = completeDocument(page);
	// Data that a `load` function returns as a promise follows the page as a stream.
	if (rendered.headers.get('content-length') !== '0') return streamed(html, rendered);
	const { status, headers } = rendered;
	const response = new TextResponse(html, { status, headers });
	response.headers.delete('etag');
	response.headers.delete('content-length');
	return response;
};

/** For development, where the framework warns of a page whose text it does not get back. */
export const callRouteInDevelopment: typeof callRoute = (event, resolve) =>
	resolve(event, { transformPageChunk: ({ html }) => completeDocument(html) });

const streamed = (html: string, { body, status, headers }: Response): Response => {
	const whole = new TransformStream<Uint8Array, Uint8Array>({
		start: (controller) => controller.enqueue(new TextEncoder().encode(html))
	});
	return new Response(body?.pipeThrough(whole) ?? html, { status, headers });
};

/**
 * Fills in the placeholders of app.html. Browsers and screen readers need the language.
 *
 * Replaces only the first occurrence of each name. That is the one in app.html, which precedes
 * everything that a page renders. So text that a person typed is never replaced.
 */
const completeDocument = (html: string): string =>
	html
		.replace('%postern.language%', messages.language)
		.replace('%postern.direction%', messages.direction);
