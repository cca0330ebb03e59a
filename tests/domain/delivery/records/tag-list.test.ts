import { expect, it } from 'vitest';
import { parseTags, writeTags } from '#lib/domain/delivery/records/tag-list.ts';

it('a tag keeps its value unless it is changed, whatever its name is', () => {
	const list = parseTags('v=1; constructor=a; b=c; d=e');
	expect(writeTags(list, { b: 'f', d: null })).toBe('v=1; constructor=a; b=f');
});
