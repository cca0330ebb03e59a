/** The parts of a page’s markup that tests need, read without a browser. */
export interface HtmlPage {
	readonly ids: readonly string[];
	/** The targets of its links, as written. */
	readonly links: readonly string[];
	/** What a browser loads with it. */
	readonly loads: readonly string[];
	/** Levels of its headings, in order. */
	readonly headings: readonly number[];
	/** The text of its code blocks. */
	readonly code: readonly string[];
	readonly title: string;
	readonly description: string;
}

const plainText = (html: string): string =>
	html
		.replace(/<[^>]*>/g, '')
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&amp;', '&');

export const readHtml = (html: string): HtmlPage => {
	// Scripts and comments are not markup.
	const markup = html.replace(/<!--.*?-->/gs, '').replace(/(<script\b[^>]*>).*?<\/script>/gs, '$1');
	const all = (pattern: RegExp): string[] =>
		[...markup.matchAll(pattern)].map(([, found = '']) => plainText(found));
	return {
		ids: all(/<[a-z][^>]*\sid="([^"]*)"/g),
		links: all(/<a\b[^>]*\shref="([^"]*)"/g),
		loads: [
			...all(/<(?:link|use|image)\b[^>]*\s(?:xlink:)?href="([^"]*)"/g),
			...all(/<[a-z][^>]*\ssrc="([^"]*)"/g)
		],
		headings: all(/<h([1-6])\b/g).map(Number),
		code: all(/<pre\b[^>]*>(.*?)<\/pre>/gs),
		title: all(/<title>([^<]*)<\/title>/g)[0] ?? '',
		description: all(/<meta name="description" content="([^"]*)"/g)[0] ?? ''
	};
};
