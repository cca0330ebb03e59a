import type { DocsPath, SearchResult } from '#lib/view/docs.ts';

/** A part of the documentation that a search can find. */
export interface Place {
	readonly path: DocsPath;
	readonly title: string;
	/** What the place is: the call, or the guide that it is in. */
	readonly where: string;
	readonly text: string;
}

/** How much a match counts, by where the word is. In the text, up to three count. */
const WEIGHT = { title: 6, where: 4, text: 1 } as const;
const MOST_IN_TEXT = 3;
const MOST_WORDS = 8;
const EXCERPT_LENGTH = 160;
/** How much text of an excerpt stands before the match. */
const LEAD = 40;

interface SearchedPlace extends Place {
	/** Its texts in lower case. */
	readonly lower: Readonly<Record<keyof typeof WEIGHT, string>>;
}

/** Places as `search` needs them. Made once, because every search reads all of them. */
export const searched = (places: readonly Place[]): readonly SearchedPlace[] =>
	places.map((place) => ({
		...place,
		lower: {
			title: place.title.toLowerCase(),
			where: place.where.toLowerCase(),
			text: place.text.toLowerCase()
		}
	}));

interface Found {
	/** How many places match. */
	readonly count: number;
	/** The best of them. */
	readonly results: readonly SearchResult[];
}

/** The places that contain every word of the query, best first, at most `most` of them. */
export const search = (places: readonly SearchedPlace[], query: string, most: number): Found => {
	const words = [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MOST_WORDS);
	if (words.length === 0) return { count: 0, results: [] };
	const found = places
		.map((place) => ({ place, score: scoreOf(place, words) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score);
	const results = found.slice(0, most).map(({ place: { path, title, where, text, lower } }) => ({
		path,
		title,
		where,
		excerpt: excerptOf(text, lower.text, words)
	}));
	return { count: found.length, results };
};

/** Zero if a word is missing. */
const scoreOf = ({ lower }: SearchedPlace, words: readonly string[]): number => {
	let sum = 0;
	for (const word of words) {
		const score =
			(lower.title.includes(word) ? WEIGHT.title : 0) +
			(lower.where.includes(word) ? WEIGHT.where : 0) +
			timesIn(lower.text, word) * WEIGHT.text;
		if (score === 0) return 0;
		sum += score;
	}
	return sum;
};

/** At most `MOST_IN_TEXT`. */
const timesIn = (text: string, word: string): number => {
	let count = 0;
	for (let at = text.indexOf(word); at >= 0 && count < MOST_IN_TEXT; count += 1) {
		at = text.indexOf(word, at + word.length);
	}
	return count;
};

/** The text around the first word that is in it, cut between words. */
const excerptOf = (text: string, lower: string, words: readonly string[]): string => {
	const at = words.map((word) => lower.indexOf(word)).find((index) => index >= 0) ?? 0;
	const start = at <= LEAD ? 0 : text.indexOf(' ', at - LEAD) + 1;
	const rest = text.slice(start > at ? at : start);
	const before = start === 0 ? '' : '… ';
	if (rest.length <= EXCERPT_LENGTH) return before + rest;
	const cut = rest.slice(0, EXCERPT_LENGTH);
	return `${before}${cut.slice(0, Math.max(cut.lastIndexOf(' '), LEAD))} …`;
};
