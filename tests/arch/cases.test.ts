import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../support/files/scratch-copy.ts';

/*
 * Titles of tests begin with the id of the attack or fault that they cover, such as `A01`. To find the
 * tests of a case, search the folder `tests` for its id. Each id here must stay in some title.
 */

/** The number of cases of each group. */
const GROUPS = {
	...{ A: 22, B: 15, C: 6, D: 8, E: 24, F: 14, G: 5, H: 6, I: 9, J: 9, K: 18, L: 5, M: 21 },
	...{ N: 11, O: 8, P: 6, Q: 11, R: 16, S: 6, T: 9 }
};
/** Measured by `npm run measure` or `npm run bench`, or about the project and not its behaviour. */
const UNTESTED = new Set('C02 J08 M20 Q02 Q05 Q06 Q07 Q10 R03 S02'.split(' '));

/** Published flaws of similar programs that could exist here. */
const ADVISORIES = `
	CVE-2025-61928, GHSA-x732-6j76-qmhm, GHSA-xg6x-h9c9-2m83, CVE-2026-45364, GHSA-p6v2-xcpg-h6xw,
	GHSA-hc7v-rggr-4hvx, GHSA-hc7v-x88r-fmh4, GHSA-2vg6-77g8-24mp, GHSA-g38m-r43w-p2q7,
	CVE-2026-45337, GHSA-cq3f-vc6p-68fh, GHSA-7w99-5wm4-3g79, GHSA-392p-2q2v-4372,
	GHSA-fmh4-wcc4-5jm3, CVE-2026-41427, GHSA-xr8f-h2gw-9xh6, GHSA-jmcv-4jfc-6qqj,
	GHSA-wmjr-v86c-m9jj, GHSA-4vcf-q4xf-f48m, GHSA-h3rm-78g3-j7cp, GHSA-737v-mqg7-c878,
	GHSA-8c5h-wx78-2cfg, GHSA-phx7-w8x2-3xgf, CVE-2024-56734, CVE-2025-27143, CVE-2025-53535,
	GHSA-vp58-j275-797x, GHSA-569q-mpph-wgww, CVE-2022-35924, GHSA-xv97-c62v-4587, CVE-2022-31127,
	GHSA-pgjx-7f9g-9463, GHSA-7rqj-j65f-68wh, GHSA-5jpx-9hw9-2fx4, GHSA-xmf8-cvqr-rfgj,
	GHSA-8fpg-xm3f-6cx3, GHSA-x445-f3h2-j279, CVE-2022-31093, GHSA-g5fm-jp9v-2432,
	GHSA-3529-5m8x-rpv3, supabase/auth#2612, supabase/auth#2600, supabase/auth#1214,
	HackerOne#3692149, HackerOne#3695625, Hanko 27d8fdd5, CVE-2024-47070, CVE-2023-26481,
	CVE-2023-39522, CVE-2024-52289, CVE-2024-52307, CVE-2026-49443, CVE-2026-54730, CVE-2025-53942,
	CVE-2026-55106, CVE-2022-46172, CVE-2024-1722, CVE-2026-9798, CVE-2026-9087,
	GHSA-xhpr-465j-7p9q, CVE-2026-32700, CVE-2019-5421, CVE-2019-16109, CVE-2015-8314,
	CVE-2013-0233, CVE-2026-40295, CVE-2015-7225, CVE-2021-43177, CVE-2021-23435, CVE-2015-9097,
	GHSA-mvxr-6m87-mv2q, CVE-2025-13033, GHSA-mm7p-fcc7-pg87, CVE-2025-14874, GHSA-vvjj-xcjg-gr5g,
	GHSA-9h6g-pr28-7cqp, CVE-2023-29003, GHSA-5p75-vc5g-8rv2, CVE-2023-29008, GHSA-gv7g-x59x-wf8f,
	sveltejs/kit#16347, sveltejs/kit#16313, CVE-2025-32388, CVE-2026-22803, CVE-2026-40073,
	sveltejs/kit@10d7b44425, sveltejs/kit@d9ae9b00b1, sveltejs/kit@82712fc02c,
	sveltejs/kit@dadaefc2e6, sveltejs/kit#16072, sveltejs/kit#16612, sveltejs/kit#16218,
	CVE-2024-23641, CVE-2024-53261, CVE-2024-53262, CVE-2025-57820, CVE-2026-22774, CVE-2026-22775
`;

const titles = globSync('tests/**/*.ts', {
	cwd: projectRoot,
	exclude: (path) => path.includes('node_modules')
})
	.flatMap((path) => readFileSync(join(projectRoot, path), 'utf8').match(/'.*'|`.*`/g) ?? [])
	.join('\n');

describe('a test title names', () => {
	it('every case', () => {
		const ids = Object.entries(GROUPS).flatMap(([group, count]) =>
			Array.from({ length: count }, (_, i) => group + String(i + 1).padStart(2, '0'))
		);
		expect(ids.filter((id) => !UNTESTED.has(id) && !titles.includes(id))).toEqual([]);
	});

	it('Q04: every advisory', () => {
		const ids = ADVISORIES.trim().split(/,\s+/);
		expect(ids.filter((id) => !titles.includes(id))).toEqual([]);
	});
});
