import type { Handle } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';
import { themeOf } from '../pages/theme-cookie.ts';

/**
 * What belongs on the document itself: the language of the catalogue the page was written with, for
 * browsers and screen readers, and the chosen look, which would flash if a script were to set it.
 */
export const withDocument: Handle = ({ event, resolve }) => {
	if (event.locals.target.isApi) return resolve(event);
	return resolve(event, {
		transformPageChunk: ({ html }) => {
			const values: Readonly<Record<string, string>> = {
				language: messages.language,
				direction: messages.direction,
				theme: themeOf(event.cookies)
			};
			return html.replace(/%postern\.(\w+)%/g, (whole, name: string) => values[name] ?? whole);
		}
	});
};
