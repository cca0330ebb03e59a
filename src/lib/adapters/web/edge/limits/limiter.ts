import { randomBytes } from 'node:crypto';
import type { Monotonic } from '../session/cache-validity.ts';

/** The methods are synchronous, so nothing can run between the check and the count. */
export interface RateLimiter {
	/**
	 * Counts a hit and returns 0 if the limit allows it. Otherwise counts nothing and returns the whole
	 * seconds until a hit is allowed again.
	 */
	hit(key: string): number;
	/** Takes back the newest hit of the key, because it does not count after all. */
	giveBack(key: string): void;
	/** What `hit` would return. Counts nothing. */
	wait(key: string): number;
}

export interface RateLimiterOptions {
	/** Hits allowed in any span of `window` seconds (a sliding window). */
	readonly limit: number;
	readonly window: number;
	readonly monotonic: Monotonic;
	/** The maximum number of keys that are counted separately. */
	readonly capacity: number;
}

/**
 * How many entries each new key inspects, to remove expired ones and to make room when the table is
 * full.
 */
const LOOKS = 2;
const LOOKS_WHEN_FULL = 16;
/** New keys share this many slots while the table is full. */
const SPILL_SLOTS = 1024;

/** Counts hits in any `span` of milliseconds. */
const slidingWindow = (limit: number, span: number) => {
	const isOver = (instant: number | undefined, now: number): boolean =>
		instant === undefined || instant + span <= now;
	const secondsLeft = (hits: readonly number[], now: number): number => {
		const oldest = hits[hits.length - limit];
		return oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest + span - now) / 1000));
	};
	const count = (hits: number[], now: number): number => {
		const wait = secondsLeft(hits, now);
		if (wait > 0) return wait;
		while (hits.length > 0 && isOver(hits[0], now)) hits.shift();
		hits.push(now);
		return 0;
	};
	return { isOver, secondsLeft, count };
};

interface CountedKey {
	key: number;
	/** The times of its hits in this window, oldest first. */
	readonly hits: number[];
}

/**
 * An in-memory limiter per process: N instances allow up to N times the limit. It stores the time
 * of each allowed hit, so the window slides exactly and `Retry-After` is never too short.
 *
 * Why not a library: rate-limiter-flexible keeps a timer per key and has no bound on keys. A cache
 * such as lru-cache evicts blocked keys first, because nothing refreshes them.
 *
 * A flood of keys evicts keys that are not blocked, roughly oldest first. Blocked keys stay until
 * they expire. Filling the table with blocked keys takes `capacity * limit` requests in one
 * window. New keys then share 1024 slots, each with the limit of one key. Refusing all new keys would
 * let a flood block everyone; not counting them would remove the limit; with one shared slot, a
 * single key could use up the limit of all new keys.
 */
export const rateLimiter = ({
	limit,
	window,
	monotonic,
	capacity
}: RateLimiterOptions): RateLimiter => {
	const { isOver, secondsLeft, count } = slidingWindow(limit, window * 1000);
	const hashOf = seededHash();
	const countedKeys = new Map<number, CountedKey>();
	/** The entries of `countedKeys` as an array, so that eviction can cycle through them. */
	const row: CountedKey[] = [];
	let hand = 0;
	const spill = new Map<number, number[]>();

	/**
	 * Returns a free index, or that of an entry that is not blocked. Null if the search finds
	 * neither.
	 */
	const findPlace = (now: number): number | null => {
		const full = row.length >= capacity;
		for (let looks = full ? LOOKS_WHEN_FULL : LOOKS; looks > 0; looks -= 1) {
			if (hand >= row.length) hand = 0;
			const counted = row[hand];
			if (counted === undefined) break;
			const place = hand;
			hand += 1;
			if (full && secondsLeft(counted.hits, now) === 0) return place;
			if (full || !isOver(counted.hits.at(-1), now)) continue;
			const last = row.pop();
			if (last !== undefined && last !== counted) row[place] = last;
			countedKeys.delete(counted.key);
		}
		return full ? null : row.length;
	};

	const countNewKey = (key: number, now: number): number => {
		const place = findPlace(now);
		if (place === null) {
			const slot = key % SPILL_SLOTS;
			const shared = spill.get(slot) ?? [];
			spill.set(slot, shared);
			return count(shared, now);
		}
		const counted = row[place] ?? { key, hits: [now] };
		// Reuses the evicted entry's object, which creates less garbage.
		countedKeys.delete(counted.key);
		counted.key = key;
		counted.hits.length = 1;
		counted.hits[0] = now;
		countedKeys.set(key, counted);
		row[place] = counted;
		return 0;
	};

	return {
		hit: (key) => {
			const now = monotonic();
			const hash = hashOf(key);
			const counted = countedKeys.get(hash);
			return counted === undefined ? countNewKey(hash, now) : count(counted.hits, now);
		},
		giveBack: (key) => {
			const hash = hashOf(key);
			(countedKeys.get(hash)?.hits ?? spill.get(hash % SPILL_SLOTS))?.pop();
		},
		wait: (key) => secondsLeft(countedKeys.get(hashOf(key))?.hits ?? [], monotonic())
	};
};

/**
 * Maps a text to a number, for tables in memory that must stay small: numbers take much less memory
 * than strings. Among 50,000 texts, the odds that any two collide are one in millions. Clients
 * cannot choose colliding texts, because the result depends on a random seed.
 *
 * This is cyrb53 by bryc (public domain), with a seed of 64 bits. It is not a cryptographic hash,
 * so do not use it for secrets. A cryptographic hash would cost more than the rest of a limit
 * check.
 */
export const seededHash = (seed: Uint8Array = randomBytes(8)): ((text: string) => number) => {
	const words = new DataView(seed.buffer, seed.byteOffset, 8);
	const [one, other] = [words.getInt32(0), words.getInt32(4)];
	return (text) => {
		let a = 0xdeadbeef ^ one;
		let b = 0x41c6ce57 ^ other;
		for (let i = 0; i < text.length; i += 1) {
			const unit = text.charCodeAt(i);
			a = Math.imul(a ^ unit, 2654435761);
			b = Math.imul(b ^ unit, 1597334677);
		}
		a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
		b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
		return 2 ** 32 * (b & 0x1fffff) + (a >>> 0);
	};
};
