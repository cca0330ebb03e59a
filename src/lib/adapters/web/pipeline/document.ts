import type { RequestEvent } from '@sveltejs/kit';
import type { ResolveOptions } from '@sveltejs/kit/hooks';
import { messages } from '#lib/messages/messages.ts';
import { pagePreview } from '../pages/page-preview.ts';
import { themeOf } from '../pages/theme-cookie.ts';

/**
 * Fills in the placeholders of app.html. Browsers and screen readers need the language. The theme is
 * set here because the page would flash if a script set it.
 *
 * Replaces only the first of each name. It is the one of app.html, because these are before
 * everything that a page renders. So text that a person typed is never replaced.
 */
export const documentOptions = (event: RequestEvent): ResolveOptions | undefined => {
	const { app, rules, target } = event.locals;
	if (target.isApi) return undefined;
	return {
		transformPageChunk: ({ html }) =>
			html
				.replace('%postern.language%', messages.language)
				.replace('%postern.direction%', messages.direction)
				.replace('%postern.theme%', themeOf(event.cookies))
				.replace('%postern.preview%', () =>
					pagePreview(app.config, {
						routeId: target.routeId,
						isPublic: rules.access === 'public' && !rules.urlHoldsToken,
						head: html.slice(0, html.indexOf('</head>'))
					})
				)
	};
};
