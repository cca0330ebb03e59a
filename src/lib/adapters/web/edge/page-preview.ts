import { messages } from '#lib/messages/messages.ts';
import { escapeHtml } from '#lib/escape-html.ts';
import { withoutGroups } from '../http/paths.ts';

const { descriptions } = messages;

/** Other pages describe the site. */
const byPath: ReadonlyMap<string, (site: string) => string> = new Map([
	['/auth/sign-up', descriptions.signUp],
	['/contact', descriptions.contact],
	['/changelog', descriptions.changelog],
	['/roadmap', descriptions.roadmap]
]);

const TITLE = /<title>([^<]*)<\/title>/;
const DESCRIPTION = /<meta name="description" content="([^"]*)"/;

interface Page {
	readonly routeId: string | null;
	/** Only pages that everyone can open have a preview. */
	readonly isPublic: boolean;
	/** As rendered. It has the title, and perhaps a description. */
	readonly head: string;
}

/**
 * The description of a page, and what a preview of its link shows. Written here and not in the
 * components, because browsers need no script for it.
 *
 * A title can contain text of a person or a purchase. It is rendered and thus escaped, except for
 * quotes.
 */
export const pagePreview = (
	{ siteName, origin }: { readonly siteName: string; readonly origin: string },
	{ routeId, isPublic, head }: Page
): string => {
	const own = DESCRIPTION.exec(head)?.[1];
	const describe = byPath.get(withoutGroups(routeId ?? '')) ?? descriptions.site;
	const description = own ?? escapeHtml(describe(siteName));
	const described = own === undefined ? `<meta name="description" content="${description}" />` : '';
	if (!isPublic) return described;
	const title = (TITLE.exec(head)?.[1] ?? '').replaceAll('"', '&quot;');
	const properties = {
		'og:type': 'website',
		'og:site_name': escapeHtml(siteName),
		'og:title': title,
		'og:description': description,
		'og:image': `${origin}/social-preview.png`
	};
	return [
		described,
		...Object.entries(properties).map(
			([name, content]) => `<meta property="${name}" content="${content}" />`
		),
		'<meta name="twitter:card" content="summary_large_image" />'
	].join('');
};
