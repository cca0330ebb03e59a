import { hash, verify } from '@node-rs/argon2';
import type { BoundCode, CodeHasher } from '#lib/domain/index.ts';
import type { KeyRing } from './keys.ts';

/** The package's `Algorithm` is an ambient const enum, which erasable syntax cannot import. */
const ARGON2ID = 2;

/**
 * About a millisecond of work. The key is what protects a stolen table (a million codes are few
 * whatever a hash costs); the work only slows whoever has stolen the key as well.
 */
const COST = { algorithm: ARGON2ID, memoryCost: 4096, timeCost: 1, parallelism: 1 } as const;

/** A JSON array quotes its items and null is no text, so no two bound codes have the same encoding. */
const encode = ({ purpose, email, boundTo, from, newEmail, code }: BoundCode): string => {
	const shared = [purpose, email, boundTo, code];
	if (newEmail !== undefined) return JSON.stringify([...shared, from ?? null, newEmail]);
	return JSON.stringify(from === undefined ? shared : [...shared, from]);
};

/** Codes hashed by Argon2id, keyed through its `secret` input; the salt is in the hash itself. */
export const argon2CodeHasher = (keys: KeyRing): CodeHasher => {
	const current = keys.current.export();
	const all = [current, ...keys.earlier.map((key) => key.export())];
	return {
		hash: (bound) => hash(encode(bound), { ...COST, secret: current }),

		matches: async (stored, bound) => {
			// Under every key, right or wrong, so that the answer takes the same time.
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
		// An empty or mangled hash is nobody's code; failing closed is the only safe answer.
		return false;
	}
};
