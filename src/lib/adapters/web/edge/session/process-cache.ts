import { LRUCache } from 'lru-cache';
import type { SessionToken } from '#lib/domain/secret.ts';
import type { SeenSession } from './cache-validity.ts';

/**
 * The maximum number of cached sessions, about 1 KB each. The least recently used one is evicted.
 */
const PROCESS_CACHE_CAPACITY = 10_000;

/**
 * Session data from the store, cached in this process. Unlike the cookie cache, it needs no
 * decryption, and it serves bearer tokens, too. An entry is valid under the same conditions (see
 * `cacheValidity` and `mayUseSessionCache`). The keys are the tokens themselves: hashing on every
 * lookup would take longer than the rest of the lookup.
 */
export const processCache = (capacity = PROCESS_CACHE_CAPACITY) => {
	const kept = new LRUCache<SessionToken, SeenSession>({ max: capacity });
	return {
		get: (token: SessionToken): SeenSession | null => kept.get(token) ?? null,
		set: (token: SessionToken, seen: SeenSession): void => {
			// Requests share these objects, so no request may change them.
			Object.freeze(seen.user);
			Object.freeze(seen.session);
			kept.set(token, seen);
		},
		get size(): number {
			return kept.size;
		}
	};
};
