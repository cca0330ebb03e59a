import { expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';

const { common } = messages;

test('the server writes dates in British English and names UTC', () => {
	const at = new Date('2026-03-01T09:05:59.999Z');
	expect(common.day(at)).toBe('1 Mar 2026');
	expect(common.date(at)).toBe('1 Mar 2026 (UTC)');
	expect(common.moment(at)).toBe('1 Mar 2026 at 09:05 UTC');
});
