import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/scratch-copy.ts';

const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, withFileTypes: true })
	.filter((entry) => entry.isFile() && /\.(?:ts|js|svelte)$/.test(entry.name))
	.map((entry) => join(entry.parentPath, entry.name));

/** A name that ends in what a secret is called, beside an operator that stops at the first difference. */
const SECRET = String.raw`(?:[\w$]+\.)*[\w$]*(?:hash|token|signature|secret|digest|browserKey|otp)\b`;
const OPERATOR = '(?:[!=]==|[!=]=(?!=))';
/** What a secret may well be compared with: whether it is there, and what kind of thing it is. */
const PLAIN = String.raw`(?:(?:null|undefined|true|false|\d+)\b|''|"")`;
const COMPARED = new RegExp(
	String.raw`\b${SECRET}\s*${OPERATOR}(?!\s*${PLAIN})|${OPERATOR}\s*(?!${PLAIN})${SECRET}(?![.(])`,
	'gi'
);

/** The tests' fakes look rows up in arrays; no product runs on them. */
const ALLOWED = ['src/lib/adapters/memory/'];

const comparisons = (path: string, text: string): readonly string[] =>
	text
		.split('\n')
		.filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line))
		.filter((line) => !/\btypeof\b/.test(line))
		.flatMap((line) => [...line.matchAll(COMPARED)].map(() => `${path}: ${line.trim()}`))
		.filter((found) => !ALLOWED.some((start) => found.startsWith(start)));

describe('comparing secrets', () => {
	it('A19: no secret is compared by an operator that stops at the first difference', () => {
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
	])('A19: %s would be noticed', (line) => {
		expect(comparisons('src/x.ts', line)).not.toEqual([]);
	});

	it.each([
		'if (token !== null) await endSession(token);',
		"if (token === undefined || token === '') return null;",
		'if (signature.length !== 43) return false;'
	])('%s has nothing to tell', (line) => {
		expect(comparisons('src/x.ts', line)).toEqual([]);
	});

	it('A19: what compares in constant time is Node’s own, and in use', () => {
		const signer = join(projectRoot, 'src/lib/adapters/crypto/hmac-signer.ts');
		expect(readFileSync(signer, 'utf8')).toMatch(/timingSafeEqual\(/);
	});
});
