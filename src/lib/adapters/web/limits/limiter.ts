import type { Clock } from '#lib/domain/ports/clock.ts';
import { fingerprinter } from './fingerprint.ts';
import { stopwatch } from './monotonic-elapsed.ts';

export type HitVerdict =
	| { readonly allowed: true }
	/** Whole seconds after which a hit is allowed again. */
	| { readonly allowed: false; readonly retryAfter: number };

/** Both answer at once, without waiting for anything, so nothing comes between check and count. */
export interface RateLimiter {
	/** Counts one, unless that would be too many: what is refused costs nothing further. */
	hit(key: string): HitVerdict;
	/** Whole seconds until a hit would be allowed, 0 when it would be now. Counts nothing. */
	wait(key: string): number;
}

export interface RateLimiterOptions {
	/** Hits allowed in any span of `window` seconds, wherever that begins. */
	readonly limit: number;
	readonly window: number;
	readonly clock: Clock;
	/** Keys that are told apart at once. */
	readonly capacity: number;
}

const ALLOWED: HitVerdict = { allowed: true };

/** How many are looked at per newcomer: to drop whose time is over, and to make room when full. */
const LOOKS = 2;
const LOOKS_WHEN_FULL = 16;
/** What newcomers share while there is no room. */
const SPILL_SLOTS = 1024;

interface Client {
	key: number;
	/** When its hits of this window were, oldest first. */
	readonly hits: number[];
}

/**
 * Limits in memory, per process: N instances allow up to N times as much. Keeps the instants of the
 * hits that were allowed, so the window slides exactly and `Retry-After` is never too short.
 *
 * Own code, because rate-limiter-flexible keeps a timer for each key and any number of keys, and a
 * cache such as lru-cache forgets blocked keys first of all, since nothing refreshes them.
 *
 * A flood of keys evicts what is not blocked, roughly oldest first; blocked keys stay until their
 * time is over. When those fill the whole capacity, which takes `capacity * limit` requests in one
 * window, newcomers are spread over 1024 slots with the limit of one client each. To refuse them all
 * would let the flood shut everybody out; not to count them would lift the limit; and one slot for
 * all could be exhausted by any single client among them.
 */
export const rateLimiter = ({
	limit,
	window,
	clock,
	capacity
}: RateLimiterOptions): RateLimiter => {
	const span = window * 1000;
	const elapsed = stopwatch(clock);
	const fingerprint = fingerprinter();
	const clients = new Map<number, Client>();
	/** The same ones in a row, so that a hand can go round. */
	const row: Client[] = [];
	let hand = 0;
	const spill = new Map<number, number[]>();

	const isOver = (instant: number | undefined, now: number): boolean =>
		instant === undefined || instant + span <= now;
	const secondsLeft = (hits: readonly number[], now: number): number => {
		const oldest = hits[hits.length - limit];
		return oldest === undefined ? 0 : Math.max(0, Math.ceil((oldest + span - now) / 1000));
	};

	const count = (hits: number[], now: number): HitVerdict => {
		const retryAfter = secondsLeft(hits, now);
		if (retryAfter > 0) return { allowed: false, retryAfter };
		while (hits.length > 0 && isOver(hits[0], now)) hits.shift();
		hits.push(now);
		return ALLOWED;
	};

	/** A place that is free, or was until now that of somebody who is not blocked; else null. */
	const findPlace = (now: number): number | null => {
		const full = row.length >= capacity;
		for (let looks = full ? LOOKS_WHEN_FULL : LOOKS; looks > 0; looks -= 1) {
			if (hand >= row.length) hand = 0;
			const client = row[hand];
			if (client === undefined) break;
			const place = hand;
			hand += 1;
			if (full && secondsLeft(client.hits, now) === 0) return place;
			if (full || !isOver(client.hits.at(-1), now)) continue;
			const last = row.pop();
			if (last !== undefined && last !== client) row[place] = last;
			clients.delete(client.key);
		}
		return full ? null : row.length;
	};

	const countNewcomer = (key: number, now: number): HitVerdict => {
		const place = findPlace(now);
		if (place === null) {
			const slot = key % SPILL_SLOTS;
			const shared = spill.get(slot) ?? [];
			spill.set(slot, shared);
			return count(shared, now);
		}
		const client = row[place] ?? { key, hits: [now] };
		// The record of who was there is used again, which leaves less to the garbage collector.
		clients.delete(client.key);
		client.key = key;
		client.hits.length = 1;
		client.hits[0] = now;
		clients.set(key, client);
		row[place] = client;
		return ALLOWED;
	};

	return {
		hit: (key) => {
			const now = elapsed();
			const short = fingerprint(key);
			const client = clients.get(short);
			return client === undefined ? countNewcomer(short, now) : count(client.hits, now);
		},
		wait: (key) => secondsLeft(clients.get(fingerprint(key))?.hits ?? [], elapsed())
	};
};
