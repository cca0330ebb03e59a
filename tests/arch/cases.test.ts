import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

/*
 * Titles of tests begin with the id of the attack or fault that they cover, such as `A01`. To find the
 * tests of a case, search the folder `tests` for its id. Each id here must stay in some title. Titles
 * also name the published flaws of similar programs that they cover, such as `CVE-2015-8314`.
 */

/** The number of cases of each group. */
const GROUPS = {
	A: 22,
	B: 15,
	C: 6,
	D: 8,
	E: 24,
	F: 14,
	G: 5,
	H: 6,
	I: 9,
	J: 9,
	K: 18,
	L: 5,
	M: 21,
	N: 11,
	O: 8,
	P: 6,
	Q: 11,
	R: 16,
	S: 6,
	T: 9
};
/** Measured by `npm run measure` or `npm run bench`, or about the project and not its behaviour. */
const UNTESTED = new Set('C02 J08 M20 Q02 Q05 Q06 Q07 Q10 R03 S02'.split(' '));

const titles = globSync('tests/**/*.ts', {
	cwd: projectRoot,
	exclude: (path) => path.includes('node_modules')
})
	.flatMap((path) => readFileSync(join(projectRoot, path), 'utf8').match(/'.*'|`.*`/g) ?? [])
	.join('\n');

describe('a test title names', () => {
	it('Q04: every case', () => {
		const ids = Object.entries(GROUPS).flatMap(([group, count]) =>
			Array.from({ length: count }, (_, i) => group + String(i + 1).padStart(2, '0'))
		);
		expect(ids.filter((id) => !UNTESTED.has(id) && !titles.includes(id))).toEqual([]);
	});
});
