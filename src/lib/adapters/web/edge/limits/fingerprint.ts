import { randomBytes } from 'node:crypto';

/**
 * Maps a text to a number, for tables in memory that must stay small: numbers take much less memory
 * than strings. Among 50,000 texts, the odds that any two collide are one in millions. Clients
 * cannot choose colliding texts, because the result depends on a random seed.
 *
 * This is cyrb53 by bryc (public domain), with a seed of 64 bits. It is not a cryptographic hash,
 * so do not use it for secrets. A cryptographic hash would cost more than the rest of a limit
 * check.
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
