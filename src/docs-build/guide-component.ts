import { lexer, type Token, type Tokens } from 'marked';
import { guideAnchor } from '../lib/guide-anchor.ts';
import { SAMPLE_ORIGIN } from '../lib/view/code.ts';
import { colourCode } from './colour-code.ts';
import { inlineMarkup, svelteText } from './inline-markup.ts';

const HEAD = `<svelte:options preserveWhitespace={true} />
<script>
	import { resolve } from '$app/paths';
	import CodeBlock from '#lib/ui/docs/CodeBlock.svelte';
	import GuideSection from '#lib/ui/docs/GuideSection.svelte';
	import LinkCards from '#lib/ui/docs/LinkCards.svelte';
	import { originHere } from '#lib/ui/docs/origin.ts';

	const origin = originHere()();
</script>
`;

/**
 * Turns a guide in Markdown into a component, with its code coloured. The page shows the title and
 * the first paragraph, so the component begins after them. Anchors are those of GitHub, so a link
 * works in both places. Throws on Markdown that no guide uses.
 */
export const guideComponent = async (markdown: string): Promise<string> => {
	const [, , ...tokens] = lexer(markdown).filter(({ type }) => type !== 'space');
	const parts: string[] = [HEAD];
	let isInSection = false;
	for (const [i, token] of tokens.entries()) {
		if (isHeading(token) && token.depth === 2) {
			parts.push(isInSection ? '</GuideSection>' : '', sectionStart(token.text));
			isInSection = true;
		} else parts.push(await block(token, tokens[i + 1], tokens[i - 1]));
	}
	return `${parts.join('')}${isInSection ? '</GuideSection>' : ''}`;
};

const sectionStart = (title: string): string =>
	`<GuideSection id="${guideAnchor(title)}" title={${JSON.stringify(title)}}>`;

const blocks = async (tokens: readonly Token[]): Promise<string> => {
	const shown = tokens.filter(({ type }) => type !== 'space');
	const made = await Promise.all(shown.map((one, i) => block(one, shown[i + 1], shown[i - 1])));
	return made.join('');
};

const block = async (token: Token, next?: Token, previous?: Token): Promise<string> => {
	if (isHeading(token) && token.depth === 3) return `<h3>${inlineMarkup(token.tokens)}</h3>`;
	if (isParagraph(token)) {
		// A caption is part of its code block.
		return isCode(next) && captionOf(token) !== null ? '' : `<p>${inlineMarkup(token.tokens)}</p>`;
	}
	if (isList(token)) {
		const items = await Promise.all(token.items.map(({ tokens }) => blocks(tokens)));
		const tag = token.ordered ? 'ol' : 'ul';
		const list = `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`;
		if (!token.items.every(isDescribedLink)) return list;
		return `<LinkCards count={${items.length}}>${list}</LinkCards>`;
	}
	if (isTable(token)) return table(token);
	// The content of a list item without empty lines.
	if (token.type === 'text') return inlineMarkup((token as Tokens.Text).tokens ?? [token]);
	if (isCode(token)) return codeBlock(token, isParagraph(previous) ? captionOf(previous) : null);
	throw new Error(`a guide cannot contain this Markdown: ${token.raw}`);
};

const table = ({ header, rows }: Tokens.Table): string => {
	const head = header.map(({ tokens }) => `<th scope="col">${inlineMarkup(tokens)}</th>`).join('');
	const body = rows.map(
		(cells) => `<tr>${cells.map(({ tokens }) => `<td>${inlineMarkup(tokens)}</td>`).join('')}</tr>`
	);
	return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
};

const codeBlock = async ({ text, lang }: Tokens.Code, caption: string | null): Promise<string> => {
	if (caption === null || !lang) throw new Error(`code without caption or language: ${text}`);
	const pieces = await colourCode(text, lang);
	const markup = pieces.map(([text, kind]) => {
		const shown = svelteText(text).replaceAll(SAMPLE_ORIGIN, '{origin}');
		return kind === null ? shown : `<span class="code-${kind}">${shown}</span>`;
	});
	return `<CodeBlock label={${JSON.stringify(caption)}}>${markup.join('')}</CodeBlock>`;
};

/** A paragraph that is only one bold text names the code after it. */
const captionOf = ({ tokens }: Tokens.Paragraph): string | null => {
	const [only, ...others] = tokens;
	return only?.type === 'strong' && others.length === 0 ? (only as Tokens.Strong).text : null;
};

/** A link alone in its paragraph, then a text about it. */
const isDescribedLink = ({ tokens }: Tokens.ListItem): boolean => {
	const [link, text] = tokens.filter(({ type }) => type !== 'space');
	return isParagraph(link) && isParagraph(text) && link.tokens.every(({ type }) => type === 'link');
};

const isHeading = (token: Token): token is Tokens.Heading => token.type === 'heading';
const isTable = (token: Token): token is Tokens.Table => token.type === 'table';
const isList = (token: Token): token is Tokens.List => token.type === 'list';
const isParagraph = (token: Token | undefined): token is Tokens.Paragraph =>
	token?.type === 'paragraph';
const isCode = (token: Token | undefined): token is Tokens.Code => token?.type === 'code';
