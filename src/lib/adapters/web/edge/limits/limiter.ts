import type { Monotonic } from '../session/cache-validity.ts';

export interface RateLimiterOptions {
	/** Hits allowed in any span of `window` seconds (a sliding window). */
	readonly limit: number;
	readonly window: number;
	readonly monotonic: Monotonic;
	/** How many keys are stored. Only keys at their limit can exceed it. */
	readonly capacity: number;
}

/** How many keys a new one inspects at `capacity`, to evict the first one that is not at its limit. */
const INSPECTIONS = 16;

/**
 * An in-memory limiter per process: N instances allow up to N times the limit. It stores the time
 * of each allowed hit, so the window slides exactly and `Retry-After` is never too short.
 *
 * Why not a library: rate-limiter-flexible keeps a timer per key and has no bound on keys. A cache
 * such as lru-cache evicts blocked keys first, because nothing refreshes them.
 *
 * A new key evicts an old one that is not at its limit. Keys at their limit stay until they are below
 * it again, so they alone can exceed `capacity`. That takes `capacity * limit` requests in one window.
 * Other keys are then evicted early.
 */
export const rateLimiter = ({ limit, window, monotonic, capacity }: RateLimiterOptions) => {
	const span = window * 1000;
	/** The times of the hits in this window by key, oldest first. */
	const hitsOf = new Map<string, number[]>();
	let cursor = hitsOf.entries();

	const secondsLeft = (hits: readonly number[], now: number): number => {
		const oldest = hits[hits.length - limit];
		return oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest + span - now) / 1000));
	};

	/** Goes on where it stopped, so the next keys are the oldest ones. */
	const makeRoom = (now: number): void => {
		for (let left = INSPECTIONS; left > 0 && hitsOf.size >= capacity; left -= 1) {
			const { done, value } = cursor.next();
			if (done) cursor = hitsOf.entries();
			else if (secondsLeft(value[1], now) === 0) hitsOf.delete(value[0]);
		}
	};

	// The methods are synchronous, so nothing can run between the check and the count.
	return {
		/**
		 * Counts a hit and returns 0 if the limit allows it. Otherwise counts nothing and returns the
		 * whole seconds until a hit is allowed again.
		 */
		hit: (key: string): number => {
			const now = monotonic();
			const hits = hitsOf.get(key);
			if (hits === undefined) {
				makeRoom(now);
				hitsOf.set(key, [now]);
				return 0;
			}
			const wait = secondsLeft(hits, now);
			if (wait > 0) return wait;
			while (hits[0] !== undefined && hits[0] + span <= now) hits.shift();
			hits.push(now);
			return 0;
		},
		/** Takes back the newest hit of the key, because it does not count after all. */
		giveBack: (key: string): void => void hitsOf.get(key)?.pop(),
		/** What `hit` would return. Counts nothing. */
		wait: (key: string): number => secondsLeft(hitsOf.get(key) ?? [], monotonic())
	};
};
