import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { advisories } from '../support/docs/advisories.ts';
import { advisoryPage } from '../support/docs/advisory-page.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';

const read = (path: string): string => readFileSync(join(projectRoot, path), 'utf8');

describe('Q04: advisories of other projects', () => {
	const covered = advisories.flatMap(({ ids, answer }) =>
		'not' in answer ? [] : [[ids.join(', '), ...answer] as const]
	);

	it.each(covered)('%s is covered in %s by "%s"', (_ids, file, title) => {
		expect(read(file)).toContain(title);
	});

	it('a test written for an advisory has its id', () => {
		const own = advisories.filter(
			({ answer }) => !('not' in answer) && answer[0] === 'tests/http/security/advisories.test.ts'
		);
		expect(own.length).toBeGreaterThan(8);
		const text = read('tests/http/security/advisories.test.ts');
		for (const { ids } of own) for (const id of ids) expect(text).toContain(id);
	});

	it('appear in the list once', () => {
		const ids = advisories.flatMap(({ ids }) => ids);
		expect(new Set(ids).size).toBe(ids.length);
	});

	it('the page about them is up to date; create it with node dev/list-advisories.ts', async () => {
		expect(read('docs/advisories.md')).toBe(await advisoryPage());
	});
});
