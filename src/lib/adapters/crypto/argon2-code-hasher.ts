import type { KeyObject } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import type { BoundCode, CodeHasher } from '#lib/domain/sign-in/ports.ts';
import type { KeyRing } from './keys.ts';

/** The package's `Algorithm` is an ambient const enum, which erasable syntax cannot import. */
const ARGON2ID = 2;

/**
 * A quarter of a millisecond (1 MiB). The key protects a stolen table: with only a million codes, no
 * cost would.
 */
const COST = { algorithm: ARGON2ID, memoryCost: 1024, timeCost: 1, parallelism: 1 } as const;

/** JSON quotes its items, so no two bound codes have the same encoding. */
const encode = ({ purpose, email, boundTo, from, newEmail, code }: BoundCode): string => {
	const shared = [purpose, email, boundTo, code];
	if (newEmail !== undefined) return JSON.stringify([...shared, from ?? null, newEmail]);
	return JSON.stringify(from === undefined ? shared : [...shared, from]);
};

/** Argon2id, keyed through its `secret` input. The hash text contains the salt. */
export const argon2CodeHasher = (keys: KeyRing): CodeHasher => ({
	hash: (bound) => hash(encode(bound), { ...COST, secret: keys[0].export() }),

	matches: async (stored, bound) => {
		// Tries every key, also after a match, so that the response always takes the same time. An empty
		// or malformed hash is an error, and matches no code.
		const matchesUnder = (key: KeyObject): Promise<boolean> =>
			verify(stored, encode(bound), { secret: key.export() }).catch(() => false);
		return (await Promise.all(keys.map(matchesUnder))).includes(true);
	}
});
