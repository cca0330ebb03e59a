import { createHash, randomInt } from 'node:crypto';

/** Numbers from 0 up to 1, always the same for the same words. */
export type Chance = () => number;

export const seeded = (words: string): Chance => {
	let drawn = 0;
	return () => {
		drawn += 1;
		const digest = createHash('sha256').update(`${words}#${drawn}`).digest();
		return digest.readUInt32BE(0) / 2 ** 32;
	};
};

/**
 * The value of POSTERN_SEED, or a new one. It repeats the same choices, and the same timing as far
 * as the machine allows.
 */
export const newSeed = (): string => process.env['POSTERN_SEED'] ?? String(randomInt(2 ** 32));

/** A whole number from `least` up to but not including `below`. */
export const between = (chance: Chance, least: number, below: number): number =>
	least + Math.floor(chance() * (below - least));
