import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import type { CodeKind, ColouredCode } from '../lib/view/code.ts';

/** The languages of the guides. An unknown one fails the build. */
const LANGS = [
	'bash',
	'dart',
	'dotenv',
	'http',
	'javascript',
	'json',
	'kotlin',
	'sql',
	'svelte',
	'swift',
	'typescript'
] as const;
const NO_LANGUAGE = 'text';

const THEME = createCssVariablesTheme({ variablePrefix: '' });
const KINDS: Readonly<Record<string, CodeKind>> = {
	'var(token-comment)': 'comment',
	'var(token-constant)': 'constant',
	'var(token-function)': 'function',
	'var(token-keyword)': 'keyword',
	'var(token-string)': 'string',
	'var(token-string-expression)': 'string'
};

const highlighter = createHighlighter({ langs: [...LANGS], themes: [THEME] });

/** Colours code by its language. The pieces are exactly the given text. */
export const colourCode = async (code: string, lang: string): Promise<ColouredCode> => {
	if (lang === NO_LANGUAGE) return [[code, null]];
	const { codeToTokensBase } = await highlighter;
	// Without a time limit, so that a busy machine builds the same pages.
	const lines = codeToTokensBase(code, {
		lang: lang as (typeof LANGS)[number],
		theme: THEME,
		tokenizeTimeLimit: 0
	});
	return merged(lines.flatMap((line, i) => [...(i === 0 ? [] : [NEW_LINE]), ...line.map(pieceOf)]));
};

type Piece = ColouredCode[number];
const NEW_LINE: Piece = ['\n', null];

const pieceOf = ({ content, color = '' }: ThemedToken): Piece => [content, KINDS[color] ?? null];

/** Joins neighbours of one colour, and gives white space the colour of what stands before it. */
const merged = (pieces: readonly Piece[]): ColouredCode => {
	const made: [string, CodeKind][] = [];
	for (const [text, kind] of pieces) {
		const last = made.at(-1);
		if (last !== undefined && (last[1] === kind || text.trim() === '')) last[0] += text;
		else made.push([text, kind]);
	}
	return made;
};
