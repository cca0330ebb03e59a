import type { Handle } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';
import { themeOf } from '../pages/theme-cookie.ts';

/**
 * Fills in the attributes of the `<html>` element. Browsers and screen readers need the language.
 * The theme is set here because the page would flash if a script set it.
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
