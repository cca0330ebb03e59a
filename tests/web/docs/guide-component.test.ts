import { describe, expect, it } from 'vitest';
import { colourCode } from '../../../src/docs-build/colour-code.ts';
import { guideComponent } from '../../../src/docs-build/guide-component.ts';

const HEAD = '# Title\n\nDescription.\n\n';
const markupOf = async (markdown: string): Promise<string> => {
	const component = await guideComponent(HEAD + markdown);
	return component.slice(component.indexOf('</script>') + '</script>'.length).trim();
};

describe('a guide as a component', () => {
	it('has its sections with the anchors of GitHub, and neither title nor description', async () => {
		expect(await markupOf('Intro.\n\n## What it’s for: `a`, b\n\nText.\n\n## Next\n')).toBe(
			'<p>Intro.</p><GuideSection id="what-its-for-a-b" title={"What it’s for: `a`, b"}><p>Text.</p></GuideSection><GuideSection id="next" title={"Next"}></GuideSection>'
		);
	});

	it('shows the origin of the installation, in text, code and links', async () => {
		expect(await markupOf('At http://localhost:3000, `http://localhost:3000/x`.')).toBe(
			'<p>At {origin}, <code>{origin}/x</code>.</p>'
		);
		expect(await markupOf('**a.ts**\n\n```text\nhttp://localhost:3000\n```')).toBe(
			'<CodeBlock label={"a.ts"}>{origin}</CodeBlock>'
		);
		expect(await markupOf('[a](http://localhost:3000/docs/api) [b](web-pages.md)')).toBe(
			"<p><a href={resolve('/docs/api')}>a</a> <a href={resolve('/docs/guides/[slug]', { slug: 'web-pages' })}>b</a></p>"
		);
	});

	it('keeps braces and markup of its text as text', async () => {
		expect(await markupOf('`{@html x}` and {y} < `<b>` & z')).toBe(
			'<p><code>&#123;@html x&#125;</code> and &#123;y&#125; &#60; <code>&#60;b&#62;</code> &#38; z</p>'
		);
	});

	it('makes cards of a list of links that each have a text', async () => {
		const list = '- [a](a.md)\n\n  About a.\n\n- [b](b.md)\n\n  About b.\n';
		expect(await markupOf(list)).toMatch(/^<LinkCards count=\{2\}><ul><li><p><a .*<\/LinkCards>$/);
		expect(await markupOf(`${list}\n- Text.`)).toMatch(/^<ul>/);
		expect(await markupOf('- [a](a.md)\n- [b](b.md)\n')).toMatch(/^<ul>/);
	});

	it('has the tables of its Markdown, with the marks of their texts', async () => {
		expect(await markupOf('| a | b |\n| - | - |\n| `c` | {d} |')).toBe(
			'<table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td><code>c</code></td><td>&#123;d&#125;</td></tr></tbody></table>'
		);
	});

	it.each([
		['code without a caption', '```text\nx\n```'],
		['an unknown language', '**a**\n\n```cobol\nx\n```'],
		['HTML', '<b>x</b>'],
		['a link to another site', '[a](https://example.org)'],
		['HTML in a table', '| a |\n| - |\n| <b>x</b> |']
	])('fails the build if a guide contains %s', async (_, markdown) => {
		await expect(guideComponent(HEAD + markdown)).rejects.toThrow();
	});
});

describe('colours of code', () => {
	it('mark its kinds and change no character', async () => {
		const code = "// Why\nexport const a = f('b', 1);\n\n";
		const pieces = await colourCode(code, 'typescript');
		expect(pieces.map(([text]) => text).join('')).toBe(code);
		const kinds = new Map(pieces.map(([text, kind]) => [text.trim(), kind]));
		expect(kinds.get('// Why')).toBe('comment');
		expect(kinds.get("'b'")).toBe('string');
		expect(kinds.get('1')).toBe('constant');
		expect(kinds.get('f')).toBe('function');
	});
});
