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

/** The places that contain every word of the query, best first. */
export const search = (places: readonly Place[], query: string): readonly SearchResult[] => {
	const words = query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, MOST_WORDS);
	if (words.length === 0) return [];
	return places
		.map((place) => ({ place, score: scoreOf(place, words) }))
		.filter(({ score }) => score > 0)
		.sort((a, b) => b.score - a.score)
		.map(({ place: { path, title, where, text } }) => ({
			path,
			title,
			where,
			excerpt: excerptOf(text, words)
		}));
};

/** Zero if a word is missing. */
const scoreOf = (place: Place, words: readonly string[]): number => {
	const scores = words.map(
		(word) =>
			(place.title.toLowerCase().includes(word) ? WEIGHT.title : 0) +
			(place.where.toLowerCase().includes(word) ? WEIGHT.where : 0) +
			Math.min(place.text.toLowerCase().split(word).length - 1, MOST_IN_TEXT) * WEIGHT.text
	);
	return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
};

/** The text around the first word that is in it, cut between words. */
const excerptOf = (text: string, words: readonly string[]): string => {
	const lower = text.toLowerCase();
	const at = words.map((word) => lower.indexOf(word)).find((index) => index >= 0) ?? 0;
	const start = at <= LEAD ? 0 : text.indexOf(' ', at - LEAD) + 1;
	const rest = text.slice(start > at ? at : start);
	const before = start === 0 ? '' : '… ';
	if (rest.length <= EXCERPT_LENGTH) return before + rest;
	const cut = rest.slice(0, EXCERPT_LENGTH);
	return `${before}${cut.slice(0, Math.max(cut.lastIndexOf(' '), LEAD))} …`;
};
