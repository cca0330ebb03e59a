import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

const ID = /\b[A-T]\d{2}\b/g;

const calledName = (node: ts.Expression): string => {
	if (ts.isIdentifier(node)) return node.text;
	if (ts.isCallExpression(node) || ts.isPropertyAccessExpression(node)) {
		return calledName(node.expression);
	}
	return ts.isTaggedTemplateExpression(node) ? calledName(node.tag) : '';
};

/** The ids in string literals that are the first argument of a test or a group of tests. */
const idsInTitles = (text: string): string[] => {
	const ids: string[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isCallExpression(node) && isTest(node)) {
			const [title] = node.arguments;
			if (title && isText(title)) ids.push(...(title.getText().match(ID) ?? []));
		}
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile('x.ts', text, ts.ScriptTarget.Latest, true));
	return ids;
};

/** `onUnix` is `it` or `it.skip`, chosen by the platform. */
const isTest = (node: ts.CallExpression): boolean =>
	/^(?:it|test|describe|onUnix)$/.test(calledName(node.expression));

const isText = (node: ts.Expression): boolean =>
	ts.isStringLiteralLike(node) || ts.isTemplateExpression(node);

/** The ids that have a list item with at least a few words. */
const idsWithSentence = (page: string): string[] =>
	[...page.matchAll(/^- \*\*([A-Z]\d{2})\*\* (?:\S+ ){2,}\S+\.$/gm)].map(([, id]) => id ?? '');

const compare = (
	titles: readonly string[],
	page: string
): { missing: string[]; spare: string[] } => {
	const used = new Set(titles.flatMap(idsInTitles));
	const explained = new Set(idsWithSentence(page));
	return {
		missing: [...used].filter((id) => !explained.has(id)).sort(),
		spare: [...explained].filter((id) => !used.has(id)).sort()
	};
};

const tests = globSync('tests/**/*.ts', {
	cwd: projectRoot,
	exclude: (path) => path.includes('node_modules')
})
	.filter((path) => !path.endsWith('arch/cases.test.ts'))
	.map((path) => readFileSync(join(projectRoot, path), 'utf8'));

const page = readFileSync(join(projectRoot, 'docs/cases.md'), 'utf8');

describe('docs/cases.md', () => {
	it('explains exactly the ids that test titles have', () => {
		expect(idsWithSentence(page).length).toBeGreaterThan(150);
		expect(compare(tests, page)).toEqual({ missing: [], spare: [] });
	});

	it('explains each id once, in order', () => {
		const ids = idsWithSentence(page);
		expect(ids).toEqual([...new Set(ids)].sort());
	});

	const sentences = '- **A01** Five guesses and no more.\n- **B02** One email each time.';

	it.each([
		['a title', "it('A01 B02 C03: works', run);"],
		['a table of tests', "it.each(rows)('A01 B02 C03: works with %s', run);"],
		['a template', 'test.skipIf(never)(`A01 B02 C03 works ${twice}`, run);'],
		['a group', "describe('A01, B02, C03', () => {});"]
	])('an id without a sentence is found in %s', (_place, text) => {
		expect(compare([text], sentences)).toEqual({ missing: ['C03'], spare: [] });
	});

	it.each([
		['no test', "it('A01: works', run);"],
		['only a comment', "// B02\nit('A01: works', run);"],
		['only a value', "it('A01: works', () => expect('B02'));"]
	])('a sentence whose id is in %s is found', (_place, text) => {
		expect(compare([text], sentences)).toEqual({ missing: [], spare: ['B02'] });
	});

	it.each(['- **B02**', '- **B02** todo', '**B02** is named in the text.'])(
		'an id is not explained by: %s',
		(line) => {
			const text = "it('A01 B02: works', run);";
			expect(compare([text], `- **A01** Five guesses and no more.\n${line}`).missing).toEqual([
				'B02'
			]);
		}
	);
});
