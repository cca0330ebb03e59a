import type { Token, Tokens } from 'marked';
import { SAMPLE_ORIGIN } from '../lib/view/code.ts';

/** Text for a Svelte template. Braces would begin an expression. */
export const svelteText = (text: string): string =>
	text.replace(/[&<>{}]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The text of a paragraph as Svelte markup. Throws on Markdown that no guide uses. */
export const inlineMarkup = (tokens: readonly Token[]): string =>
	tokens.map(markupOf).join('').replaceAll(SAMPLE_ORIGIN, '{origin}');

const markupOf = (token: Token): string => {
	if (token.type === 'text') return svelteText((token as Tokens.Text).text.replace(/\s+/g, ' '));
	if (token.type === 'codespan') {
		return `<code>${svelteText((token as Tokens.Codespan).text)}</code>`;
	}
	if (token.type === 'strong') {
		return `<strong>${inlineMarkup((token as Tokens.Strong).tokens)}</strong>`;
	}
	if (token.type === 'link') return link(token as Tokens.Link);
	throw new Error(`a guide cannot contain this Markdown: ${token.raw}`);
};

const link = ({ href, text, tokens }: Tokens.Link): string => {
	// An address that is its own link shows where the server is. Nobody needs to open it.
	if (href === text) return svelteText(text);
	return `<a ${target(href)}>${inlineMarkup(tokens)}</a>`;
};

const target = (href: string): string => {
	const [, slug] = /^([\w-]+)\.md$/.exec(href) ?? [];
	if (slug !== undefined) return `href={resolve('/docs/guides/[slug]', { slug: '${slug}' })}`;
	if (!href.startsWith(`${SAMPLE_ORIGIN}/`)) throw new Error(`a guide cannot link to ${href}`);
	const path = href.slice(SAMPLE_ORIGIN.length);
	// Paths of the API are no pages, so the framework must not navigate to them.
	const reload = path.startsWith('/api/') ? ' data-sveltekit-reload' : '';
	return `href={resolve('${path}')}${reload}`;
};
