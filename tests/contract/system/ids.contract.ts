import { expect, it } from 'vitest';
import type { Ids } from '#lib/domain/ids.ts';
import { contract } from '../stores/suite.ts';

export const idsContract = contract('a source of ids', (open: () => Ids) => {
	it('returns UUIDs of version 7 in lower case', () => {
		expect(open().next()).toMatch(
			/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
		);
	});

	it('never repeats an id, and later ones sort after earlier ones, also within a millisecond', () => {
		const ids = open();
		const drawn = Array.from({ length: 20_000 }, () => ids.next());
		expect(new Set(drawn).size).toBe(20_000);
		expect([...drawn].sort()).toEqual(drawn);
	});
});
