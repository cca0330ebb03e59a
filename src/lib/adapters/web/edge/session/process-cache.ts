import { LRUCache } from 'lru-cache';
import type { SessionId } from '#lib/domain/ids.ts';
import type { SessionToken } from '#lib/domain/secret.ts';
import { isWithinLifetime, type SeenSession } from './cache-validity.ts';

/**
 * Session data from the store, cached in this process. Unlike the cookie cache, it needs no
 * decryption, and it serves bearer tokens, too. An entry is valid under the same conditions (see
 * `CacheValidity` and `mayUseSessionCache`).
 */
export interface ProcessCache {
	/** Returns null if there is no entry, or if it is too old, expired or dated in the future. */
	get(token: SessionToken, now: Date): SeenSession | null;
	set(token: SessionToken, seen: SeenSession): void;
	forget(ids: readonly SessionId[]): void;
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
	/** Has the same size as the cache: both lose an entry at the same time. */
	const tokens = new Map<SessionId, SessionToken>();
	const entries = new LRUCache<SessionToken, SeenSession>({
		max: capacity,
		// `set` calls it for a replaced entry, too, before it adds the token again.
		dispose: ({ session }) => tokens.delete(session.id)
	});
	return {
		get: (token, now) => {
			const seen = entries.get(token);
			return seen !== undefined && isWithinLifetime(seen, now) ? seen : null;
		},
		set: (token, seen) => {
			// Requests share these objects, so no request may change them.
			Object.freeze(seen.user);
			Object.freeze(seen.session);
			entries.set(token, seen);
			tokens.set(seen.session.id, token);
		},
		forget: (ids) => {
			for (const id of ids) {
				const token = tokens.get(id);
				if (token !== undefined) entries.delete(token);
			}
		},
		get size() {
			return tokens.size;
		}
	};
};
