import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';

const UNITS = { s: 1, min: 60, day: 86_400, days: 86_400, '%': 0.01 } as const;

const policy = Object.fromEntries(
	Object.entries(defaultPolicy).flatMap(([group, numbers]) =>
		Object.entries(numbers).map(([name, value]) => [`${group}.${name}`, value])
	)
);

/** The rows that begin with a name of the policy, in code, and a number with its unit, or `off`. */
const numbersIn = (page: string): Record<string, number | string> =>
	Object.fromEntries(
		[...page.matchAll(/^\| `(\w+\.\w+)` *\| ([\d.]+|off)(?: (s|min|days?|%))? *\|/gm)].map(
			([, name, value, unit]) => [
				name,
				value === 'off'
					? value
					: Number(value) * (unit === undefined ? 1 : UNITS[unit as keyof typeof UNITS])
			]
		)
	);

const page = readFileSync(join(projectRoot, 'docs/specification.md'), 'utf8');

describe('docs/specification.md', () => {
	it('has every number of the policy, and no other', () => {
		expect(numbersIn(page)).toEqual(policy);
	});

	it.each([
		['another value', '| 600 s', '| 601 s'],
		['another unit', '| 15 min', '| 15 s'],
		['a missing row', /^\| `prune\.batch`.*\n/m, ''],
		['a row too many', /^(\| `prune\.batch`.*\n)/m, '$1| `prune.rest` | 5 | a pause |\n']
	])('finds %s', (_fault, from, to) => {
		const planted = page.replace(from, to);
		expect(planted).not.toBe(page);
		expect(numbersIn(planted)).not.toEqual(policy);
	});
});
