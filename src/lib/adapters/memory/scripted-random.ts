import type { Random } from '#lib/domain/index.ts';

/** Knuth's multiplier, which mixes the bits well. Any odd constant works. */
const MULTIPLIER = 2654435761;

/**
 * Returns the given bytes, then a deterministic stream that does not repeat for 2^32 bytes. So a
 * test can choose the next code and still draw any number of bytes. Never for production.
 */
export const scriptedRandom = (script: Iterable<number> = []): Random => {
	const bytes = Uint8Array.from(script);
	let drawn = 0;
	const next = (): number => {
		const position = drawn;
		drawn += 1;
		const scripted = bytes[position];
		if (scripted !== undefined) return scripted;
		// The finaliser of MurmurHash3, applied to a counter.
		let mixed = Math.imul(position + 1, MULTIPLIER);
		mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
		mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
		return (mixed ^ (mixed >>> 16)) & 0xff;
	};
	return { bytes: (count) => Uint8Array.from({ length: count }, next) };
};
