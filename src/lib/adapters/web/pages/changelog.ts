/** One version in the Keep a Changelog format. */
export interface Release {
	/** `1.2.0`, or null for unreleased changes. */
	readonly version: string | null;
	/** `2026-11-21`, or null if there is none. */
	readonly date: string | null;
	/** "Added", "Fixed" and so on, each with its lines of inline Markdown. */
	readonly changes: readonly { readonly kind: string; readonly items: readonly string[] }[];
}

type Parts = readonly (string | undefined)[];
const inGroups =
	(size: number) =>
	([, ...parts]: Parts): readonly Parts[] =>
		Array.from({ length: parts.length / size }, (_, group) =>
			parts.slice(group * size, (group + 1) * size)
		);
const inPairs = inGroups(2);
const inThrees = inGroups(3);

const RELEASE = /^## \[([^\]]+)\](?: - (\d{4}-\d{2}-\d{2}))?$/m;
const KIND = /^### (.+)$/m;

/** Reads headings and lists and ignores everything else. */
export const parseChangelog = (markdown: string): readonly Release[] =>
	// A split by a pattern with groups returns the groups between the texts.
	inThrees(markdown.split(RELEASE)).map(([version = '', date, text = '']) => ({
		version: version === 'Unreleased' ? null : version,
		date: date ?? null,
		changes: inPairs(text.split(KIND)).map(([kind = '', list = '']) => ({
			kind,
			items: itemsOf(list)
		}))
	}));

const itemsOf = (list: string): readonly string[] =>
	list
		.split(/^- /m)
		.slice(1)
		.map((item) => withoutLinks(item.replace(/\s+/g, ' ').trim()));

/** The links are to files of the repository, which are no pages of this site. */
const withoutLinks = (item: string): string =>
	item.replace(/ \(\[[^\]]*\]\([^)]*\)\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
