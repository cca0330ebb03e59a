import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';

const UNITS = { s: 1, min: 60, day: 86_400, days: 86_400, '%': 0.01 } as const;

const policy = Object.fromEntries(
	Object.entries(defaultPolicy).flatMap(([group, numbers]) =>
		Object.entries(numbers).map(([name, value]) => [`${group}.${name}`, value])
	)
);

it('the specification states the numbers of the policy', () => {
	const page = readFileSync(join(projectRoot, 'docs/specification.md'), 'utf8');
	const rows = page.matchAll(/^\| `(\w+\.\w+)` *\| ([\d.]+)(?: (s|min|days?|%))? *\|/gm);
	const stated = Object.fromEntries(
		[...rows].map(([, name = '', value, unit]) => [
			name,
			Number(value) * (unit === undefined ? 1 : UNITS[unit as keyof typeof UNITS])
		])
	);
	expect(Object.keys(stated).length).toBeGreaterThan(20);
	expect(policy).toMatchObject(stated);
});
