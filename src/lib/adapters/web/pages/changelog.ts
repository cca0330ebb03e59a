/** One version, as Keep a Changelog writes it down. */
export interface Release {
	/** `1.2.0`, or null for what is not released yet. */
	readonly version: string | null;
	/** `2026-11-21`; null where none is given. */
	readonly date: string | null;
	/** "Added", "Fixed" and the like, each with its lines of inline Markdown. */
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

/** Reads headings and lists, and leaves out whatever else there is. */
export const parseChangelog = (markdown: string): readonly Release[] =>
	// Split by a pattern with groups, the text between two headings follows what they hold.
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
		.map((item) => item.replace(/\s+/g, ' ').trim());
