const all = (html: string, pattern: RegExp): readonly string[] =>
	[...html.matchAll(pattern)].map(([, found = '']) => found);

/** The targets of a page’s links, as written. */
export const linksIn = (html: string): readonly string[] => all(html, /<a\b[^>]*\shref="([^"]*)"/g);

export const idsIn = (html: string): readonly string[] => all(html, /<[a-z][^>]*\sid="([^"]*)"/g);
