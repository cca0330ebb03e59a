import { expect, it } from 'vitest';
import type { Sealer } from '#lib/domain/ports.ts';
import { contract } from '../stores/suite.ts';

const text = '{"email":"ada@example.com"}';

/** `open` gives a sealer for keys, the current one first. */
export const sealerContract = contract(
	'a sealer',
	(open: (...keys: readonly string[]) => Sealer) => {
		const sealer = open('one key');

		it('opens what it sealed, also after a restart', () => {
			expect(open('one key').open(sealer.seal(text, 'a'), 'a')).toBe(text);
			expect(sealer.open(sealer.seal('', 'a'), 'a')).toBe('');
		});

		it('D08: hides the text, and never gives the same result twice', () => {
			const sealed = sealer.seal(text, 'a');
			expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(text);
			expect(sealed).not.toBe(sealer.seal(text, 'a'));
		});

		it('E05: does not open a value sealed for another context', () => {
			expect(sealer.open(sealer.seal(text, 'a'), 'b')).toBeNull();
		});

		it('does not open a value sealed with another key', () => {
			expect(sealer.open(open('another key').seal(text, 'a'), 'a')).toBeNull();
		});

		it('N02: opens under an earlier key while that is configured, and seals under the current one', () => {
			const rotated = open('new key', 'one key');
			expect(rotated.open(sealer.seal(text, 'a'), 'a')).toBe(text);
			expect(sealer.open(rotated.seal(text, 'a'), 'a')).toBeNull();
			expect(open('new key').open(rotated.seal(text, 'a'), 'a')).toBe(text);
		});

		it('E04: does not open a value with a bit changed, cut or added', () => {
			const bytes = Buffer.from(sealer.seal(text, 'a'), 'base64url');
			for (let bit = 0; bit < bytes.length * 8; bit += 1) {
				const changed = Buffer.from(bytes);
				changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
				expect(sealer.open(changed.toString('base64url'), 'a')).toBeNull();
			}
			for (let length = 0; length < bytes.length; length += 1) {
				expect(sealer.open(bytes.subarray(0, length).toString('base64url'), 'a')).toBeNull();
			}
			expect(sealer.open(Buffer.concat([bytes, bytes]).toString('base64url'), 'a')).toBeNull();
		});

		it.each(['', 'x', '💥', '====', 'null', ' '.repeat(5000)])(
			'does not open malformed input: %j',
			(junk) => {
				expect(sealer.open(junk, 'a')).toBeNull();
			}
		);
	}
);
