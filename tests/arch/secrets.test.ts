import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

const sources = readdirSync(join(projectRoot, 'src'), { recursive: true, withFileTypes: true })
	.filter((entry) => entry.isFile() && /\.(?:ts|js|svelte)$/.test(entry.name))
	.map((entry) => join(entry.parentPath, entry.name));

/** A name that ends in what a secret is called, beside an operator that stops at the first difference. */
const SECRET = String.raw`(?:[\w$]+\.)*[\w$]*(?:hash|token|signature|secret|digest|codeKey|otp)\b`;
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

describe('comparing secrets', () => {
	it('A19: no secret is compared by an operator that stops at the first difference (CVE-2024-52307)', () => {
		expect(sources.length).toBeGreaterThan(100);
		const found = sources.flatMap((file) => {
			const path = relative(projectRoot, file).split(sep).join('/');
			return comparisons(path, readFileSync(file, 'utf8'));
		});
		expect(found).toEqual([]);
	});

	it('A19: the signer calls Node’s own comparison in constant time', () => {
		const signer = readFileSync(join(projectRoot, 'src/lib/adapters/crypto/hmac.ts'), 'utf8');
		expect(signer).toMatch(/^import \{[^}]*\btimingSafeEqual\b[^}]*\} from 'node:crypto';$/m);
		expect(signer).toMatch(/\btimingSafeEqual\(/);
	});
});
