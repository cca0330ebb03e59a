import { expect, it } from 'vitest';
import type { Signer } from '#lib/domain/ports.ts';
import { contract } from '../stores/suite.ts';

/** `open` gives a signer for keys, the current one first. */
export const signerContract = contract(
	'a signer',
	(open: (...keys: readonly string[]) => Signer) => {
		const signer = open('one key');

		it('verifies its signature, also after a restart', () => {
			expect(open('one key').verify(signer.sign('text'), 'text')).toBe(true);
		});

		it('does not verify a signature of another text or another key', () => {
			expect(signer.verify(signer.sign('text'), 'texts')).toBe(false);
			expect(signer.verify(open('another key').sign('text'), 'text')).toBe(false);
		});

		it('N02: verifies signatures of an earlier key while that is configured, and signs under the current one', () => {
			const rotated = open('new key', 'one key');
			expect(rotated.verify(signer.sign('text'), 'text')).toBe(true);
			expect(signer.verify(rotated.sign('text'), 'text')).toBe(false);
		});

		it.each(['', 'x', '💥', 'a'.repeat(43), 'a'.repeat(5000)])(
			'does not verify malformed input: %j',
			(junk) => {
				expect(signer.verify(junk, 'text')).toBe(false);
			}
		);
	}
);
