/** The path of a page of the documentation in the site, perhaps with an anchor. */
export type DocsPath = 'docs' | `docs#${string}` | `docs/api/${string}` | `docs/guides/${string}`;

/** A place in the documentation that a search found. */
export interface SearchResult {
	readonly path: DocsPath;
	readonly title: string;
	/** What the place is: the call, or the guide that it is in. */
	readonly where: string;
	/** The part of the text that matches. */
	readonly excerpt: string;
}
