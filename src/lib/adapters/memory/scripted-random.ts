import type { Random } from '#lib/domain/index.ts';

/** Any odd constant does; this one is Knuth's, for its well mixed bits. */
const MULTIPLIER = 2654435761;

/**
 * Plays the given bytes, then a deterministic stream that does not repeat for 2^32 bytes. A test
 * can so say which code comes next and still draw as much as it likes. Never for production.
 */
export const scriptedRandom = (script: Iterable<number> = []): Random => {
	const bytes = Uint8Array.from(script);
	let drawn = 0;
	const next = (): number => {
		const position = drawn;
		drawn += 1;
		const scripted = bytes[position];
		if (scripted !== undefined) return scripted;
		// The finaliser of MurmurHash3 over a counter.
		let mixed = Math.imul(position + 1, MULTIPLIER);
		mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
		mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
		return (mixed ^ (mixed >>> 16)) & 0xff;
	};
	return { bytes: (count) => Uint8Array.from({ length: count }, next) };
};
