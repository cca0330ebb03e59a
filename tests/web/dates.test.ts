import fc from 'fast-check';
import { expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';

const { common } = messages;

const british = (options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
	new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });

test('the server writes dates in British English and names UTC', () => {
	const at = new Date('2026-03-01T09:05:59.999Z');
	expect(common.day(at)).toBe('1 March 2026');
	expect(common.date(at)).toBe('1 March 2026 (UTC)');
	expect(common.moment(at)).toBe('1 March 2026 at 09:05 UTC');
});

test('each date is the one that Intl writes', () => {
	const days = british({ dateStyle: 'long' });
	const times = british({ hour: '2-digit', minute: '2-digit' });
	const range = { min: new Date('1970-01-01'), max: new Date('9999-12-31'), noInvalidDate: true };
	fc.assert(
		fc.property(fc.date(range), (at) => {
			expect(common.day(at)).toBe(days.format(at));
			expect(common.moment(at)).toBe(`${days.format(at)} at ${times.format(at)} UTC`);
		})
	);
});
