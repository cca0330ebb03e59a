import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, withFileTypes: true })
	.filter((entry) => entry.isFile() && /\.(?:ts|js|svelte)$/.test(entry.name))
	.map((entry) => join(entry.parentPath, entry.name));

/** A name that ends in what a secret is called, beside an operator that stops at the first difference. */
const SECRET = String.raw`(?:[\w$]+\.)*[\w$]*(?:hash|token|signature|secret|digest|browserKey|otp)\b`;
const OPERATOR = '(?:[!=]==|[!=]=(?!=))';
/** Allowed comparisons of a secret: whether it exists, and which type it has. */
const PLAIN = String.raw`(?:(?:null|undefined|true|false|\d+)\b|''|"")`;
const COMPARED = new RegExp(
	String.raw`\b${SECRET}\s*${OPERATOR}(?!\s*${PLAIN})|${OPERATOR}\s*(?!${PLAIN})${SECRET}(?![.(])`,
	'gi'
);

const comparisons = (path: string, text: string): readonly string[] =>
	text
		.split('\n')
		.filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line))
		.filter((line) => !/\btypeof\b/.test(line))
		.flatMap((line) => [...line.matchAll(COMPARED)].map(() => `${path}: ${line.trim()}`));

const IMPORT = "import { timingSafeEqual } from 'node:crypto';";

/** Whether the code imports `timingSafeEqual` from Node and calls it. */
const comparesInConstantTime = (code: string): boolean => {
	const source = ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest);
	const isImported = source.statements.some(
		(statement) =>
			ts.isImportDeclaration(statement) &&
			(statement.moduleSpecifier as ts.StringLiteral).text === 'node:crypto' &&
			statement.importClause?.namedBindings !== undefined &&
			ts.isNamedImports(statement.importClause.namedBindings) &&
			statement.importClause.namedBindings.elements.some(
				({ name, propertyName }) => name.text === 'timingSafeEqual' && propertyName === undefined
			)
	);
	const isCall = (node: ts.Node): boolean =>
		(ts.isCallExpression(node) &&
			ts.isIdentifier(node.expression) &&
			node.expression.text === 'timingSafeEqual') ||
		ts.forEachChild(node, (child) => isCall(child) || undefined) === true;
	return isImported && isCall(source);
};

describe('comparing secrets', () => {
	it('A19: no secret is compared by an operator that stops at the first difference (CVE-2024-52307)', () => {
		expect(sources.length).toBeGreaterThan(100);
		const found = sources.flatMap((file) => {
			const path = relative(projectRoot, file).split(sep).join('/');
			return comparisons(path, readFileSync(file, 'utf8'));
		});
		expect(found).toEqual([]);
	});

	it.each([
		'if (row.tokenHash === given) return row;',
		'return expected === signature;',
		'return signature !== mac(key, text);',
		'if (form.csrfToken == token) return;',
		'if (config.secret === old) return;',
		'return browserKey === stored;'
	])('A19: %s is detected', (line) => {
		expect(comparisons('src/x.ts', line)).not.toEqual([]);
	});

	it.each([
		'if (token !== null) await endSession(token);',
		"if (token === undefined || token === '') return null;",
		'if (signature.length !== 43) return false;'
	])('%s is allowed', (line) => {
		expect(comparisons('src/x.ts', line)).toEqual([]);
	});

	it('A19: the signer calls Node’s own comparison in constant time', () => {
		const signer = join(projectRoot, 'src/lib/adapters/crypto/hmac.ts');
		expect(comparesInConstantTime(readFileSync(signer, 'utf8'))).toBe(true);
	});

	it.each([
		['a comment', '// timingSafeEqual(a, b)\nexport const x = 1;'],
		['a text', "export const x = 'timingSafeEqual(a, b)';"],
		['an import that is not called', `${IMPORT}\nexport const x = timingSafeEqual;`],
		[
			'a function of the same name',
			'const timingSafeEqual = (a, b) => a == b;\nexport const x = timingSafeEqual(a, b);'
		]
	])('A19: %s is not a comparison in constant time', (_what, code) => {
		expect(comparesInConstantTime(code)).toBe(false);
	});

	it('A19: an import that is called is a comparison in constant time', () => {
		expect(comparesInConstantTime(`${IMPORT}\nexport const x = timingSafeEqual(a, b);`)).toBe(true);
	});
});
