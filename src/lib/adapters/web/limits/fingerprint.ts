import { randomBytes } from 'node:crypto';

/**
 * Makes a short number of a text, for tables in memory that must stay small: numbers leave far less
 * behind than strings do. Two of 50,000 texts share one with odds of one in millions, and since it
 * depends on bytes that nobody outside knows, nobody can choose a text that shares another's.
 *
 * This is cyrb53 by bryc (public domain), with a seed of 64 bits. Not for secrets: it is no
 * cryptographic hash, which would cost more than all the rest of a limit.
 */
export const fingerprinter = (seed: Uint8Array = randomBytes(8)): ((text: string) => number) => {
	const words = new DataView(seed.buffer, seed.byteOffset, 8);
	const [one, other] = [words.getInt32(0), words.getInt32(4)];
	return (text) => {
		let a = 0xdeadbeef ^ one;
		let b = 0x41c6ce57 ^ other;
		for (let i = 0; i < text.length; i += 1) {
			const unit = text.charCodeAt(i);
			a = Math.imul(a ^ unit, 2654435761);
			b = Math.imul(b ^ unit, 1597334677);
		}
		a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
		b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
		return 2 ** 32 * (b & 0x1fffff) + (a >>> 0);
	};
};
