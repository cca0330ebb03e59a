import { createHash, randomInt } from 'node:crypto';

/** Numbers from 0 up to 1 that the same words give again. */
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
 * What POSTERN_SEED says, or a new one. It gives the same choices again, and the same moments as
 * far as the machine plays along.
 */
export const newSeed = (): string => process.env['POSTERN_SEED'] ?? String(randomInt(2 ** 32));

/** A whole number from `least` up to and without `below`. */
export const between = (chance: Chance, least: number, below: number): number =>
	least + Math.floor(chance() * (below - least));
