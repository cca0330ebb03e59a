import { LRUCache } from 'lru-cache';
import type { SessionToken } from '#lib/domain/secret.ts';
import type { SeenSession } from './cache-validity.ts';

/**
 * Session data from the store, cached in this process. Unlike the cookie cache, it needs no
 * decryption, and it serves bearer tokens, too. An entry is valid under the same conditions (see
 * `CacheValidity` and `mayUseSessionCache`).
 */
export interface ProcessCache {
	get(token: SessionToken): SeenSession | null;
	set(token: SessionToken, seen: SeenSession): void;
	readonly size: number;
}

/**
 * The maximum number of cached sessions, about 1 KB each. The least recently used one is evicted.
 */
const PROCESS_CACHE_CAPACITY = 10_000;

/**
 * The keys are the tokens themselves: hashing on every lookup would take longer than the rest of
 * the lookup.
 */
export const processCache = (capacity = PROCESS_CACHE_CAPACITY): ProcessCache => {
	const kept = new LRUCache<SessionToken, SeenSession>({ max: capacity });
	return {
		get: (token) => kept.get(token) ?? null,
		set: (token, seen) => {
			// Requests share these objects, so no request may change them.
			Object.freeze(seen.user);
			Object.freeze(seen.session);
			kept.set(token, seen);
		},
		get size() {
			return kept.size;
		}
	};
};
