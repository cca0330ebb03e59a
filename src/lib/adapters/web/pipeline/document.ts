import type { RequestEvent } from '@sveltejs/kit';
import type { ResolveOptions } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';
import { themeOf } from '../pages/theme-cookie.ts';

/**
 * Fills in the attributes of the `<html>` element. Browsers and screen readers need the language.
 * The theme is set here because the page would flash if a script set it.
 */
export const documentOptions = (event: RequestEvent): ResolveOptions | undefined => {
	if (event.locals.target.isApi) return undefined;
	return {
		transformPageChunk: ({ html }) => {
			const values: Readonly<Record<string, string>> = {
				language: messages.language,
				direction: messages.direction,
				theme: themeOf(event.cookies)
			};
			return html.replace(/%postern\.(\w+)%/g, (whole, name: string) => values[name] ?? whole);
		}
	};
};
