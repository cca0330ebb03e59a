import { hash, verify } from '@node-rs/argon2';
import type { BoundCode, CodeHasher } from '#lib/domain/sign-in/ports.ts';
import type { KeyRing } from './keys.ts';

/** The package's `Algorithm` is an ambient const enum, which erasable syntax cannot import. */
const ARGON2ID = 2;

/**
 * About a millisecond of work. The key protects a stolen table: with only a million codes, no
 * hash cost would. The work slows an attacker who has stolen the key as well.
 */
const COST = { algorithm: ARGON2ID, memoryCost: 4096, timeCost: 1, parallelism: 1 } as const;

/** JSON quotes its items, so no two bound codes have the same encoding. */
const encode = ({ purpose, email, boundTo, from, newEmail, code }: BoundCode): string => {
	const shared = [purpose, email, boundTo, code];
	if (newEmail !== undefined) return JSON.stringify([...shared, from ?? null, newEmail]);
	return JSON.stringify(from === undefined ? shared : [...shared, from]);
};

/** Argon2id, keyed through its `secret` input. The hash text contains the salt. */
export const argon2CodeHasher = (keys: KeyRing): CodeHasher => {
	const current = keys.current.export();
	const all = [current, ...keys.earlier.map((key) => key.export())];
	return {
		hash: (bound) => hash(encode(bound), { ...COST, secret: current }),

		matches: async (stored, bound) => {
			// Tries every key, also after a match, so that the response always takes the same time.
			const answers = await Promise.all(all.map((key) => matchesUnder(key, stored, bound)));
			return answers.includes(true);
		}
	};
};

const matchesUnder = async (
	key: Uint8Array,
	stored: string,
	bound: BoundCode
): Promise<boolean> => {
	try {
		return await verify(stored, encode(bound), { secret: key });
	} catch {
		// An empty or malformed hash matches no code. An error counts as no match.
		return false;
	}
};
