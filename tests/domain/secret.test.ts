import { describe, expect, it } from 'vitest';
import { scriptedRandom } from '../support/memory/drivers.ts';
import { systemRandom } from '#lib/adapters/system/system.ts';
import type { Random } from '#lib/domain/ports.ts';
import {
	newCodeKey,
	newSessionToken,
	parseCodeKey,
	parseSessionToken
} from '#lib/domain/secret.ts';

const makers = [newSessionToken, newCodeKey];
const parsers = [parseSessionToken, parseCodeKey];

describe('a secret', () => {
	it('E01: is 256 bits, all of them from the random source, in base64url', () => {
		for (const make of makers) {
			const requested: number[] = [];
			const random: Random = {
				bytes: (count) => {
					requested.push(count);
					return systemRandom().bytes(count);
				}
			};
			const filled = Array.from({ length: 256 }, (_, byte) =>
				make(scriptedRandom(Array(43).fill(byte)))
			);
			for (let place = 0; place < 43; place += 1) {
				// Equally many bytes make each character: six bits of a byte, or four at the end.
				const byCharacter = Map.groupBy(filled, (secret) => secret[place]);
				const size = place < 42 ? 4 : 16;
				expect([...byCharacter.values()].map(({ length }) => length)).toEqual(
					Array(256 / size).fill(size)
				);
			}
			const bytes = systemRandom().bytes(43);
			const expected = Array.from(bytes, (byte, place) => filled[byte]?.[place]);
			expect(make(scriptedRandom(bytes))).toBe(expected.join(''));
			expect(make(random)).toMatch(/^[A-Za-z0-9_-]{43}$/);
			expect(requested).toEqual([43]);
		}
	});

	it.each([
		['an empty text', ''],
		['one character less', 'A'.repeat(42)],
		['one character more', 'A'.repeat(44)],
		['padding', `${'A'.repeat(42)}=`],
		['plain base64', `${'A'.repeat(42)}+`],
		['a line break after it', `${'A'.repeat(43)}\n`],
		['a line break before it', `\n${'A'.repeat(43)}`],
		['a space', `${'A'.repeat(20)} ${'A'.repeat(22)}`],
		['64 KB', 'A'.repeat(65_536)]
	])('E04/E16: a value that cannot have been issued is refused: %s', (_what, value) => {
		for (const parse of parsers) expect(parse(value)).toBeNull();
	});

	it('E04: bits after the last whole byte are zero in every issued value, so other values are refused', () => {
		const ends = new Set('AEIMQUYcgkosw048');
		for (const end of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
			for (const parse of parsers) {
				expect(parse('A'.repeat(42) + end) !== null).toBe(ends.has(end));
			}
		}
	});
});
