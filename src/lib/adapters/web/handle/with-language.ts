import type { Handle } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';

/** Tells browsers and screen readers the language of the catalogue the page was written with. */
export const withLanguage: Handle = ({ event, resolve }) =>
	resolve(event, {
		transformPageChunk: ({ html }) =>
			html
				.replace('%postern.language%', messages.language)
				.replace('%postern.direction%', messages.direction)
	});
