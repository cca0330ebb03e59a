import type { Clock } from '#lib/domain/ports/clock.ts';

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
	const clients = new Map<string, Client>();
	/** The same ones in a row, so that a hand can go round. */
	const row: Client[] = [];
	let hand = 0;
	const spill = new Map<number, number[]>();
	const elapsed = stopwatch(clock);

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

	const forget = (client: Client): void => {
		clients.delete(client.key);
		const last = row.pop();
		if (last !== undefined && last !== client) row[hand] = last;
	};

	const hasRoom = (now: number): boolean => {
		const full = row.length >= capacity;
		for (let looks = full ? LOOKS_WHEN_FULL : LOOKS; looks > 0; looks -= 1) {
			if (hand >= row.length) hand = 0;
			const client = row[hand];
			if (client === undefined) break;
			const leaves = full ? secondsLeft(client.hits, now) === 0 : isOver(client.hits.at(-1), now);
			if (leaves) forget(client);
			// Past who took the place, too: the newest client, who is not to go next.
			if (full || !leaves) hand += 1;
			if (full && leaves) return true;
		}
		return !full;
	};

	const countNewcomer = (key: string, now: number): HitVerdict => {
		if (!hasRoom(now)) {
			const slot = slotOf(key);
			const shared = spill.get(slot) ?? [];
			spill.set(slot, shared);
			return count(shared, now);
		}
		// Not pushed into an empty array: that would reserve room for 17.
		const client = { key, hits: [now] };
		clients.set(key, client);
		row.push(client);
		return ALLOWED;
	};

	return {
		hit: (key) => {
			const now = elapsed();
			const client = clients.get(key);
			return client === undefined ? countNewcomer(key, now) : count(client.hits, now);
		},
		wait: (key) => secondsLeft(clients.get(key)?.hits ?? [], elapsed())
	};
};

interface Client {
	readonly key: string;
	/** When its hits of this window were, oldest first. */
	readonly hits: number[];
}

/**
 * Milliseconds that went by, as far as the clock tells. A clock that is set back stops nothing: from
 * then on it is read from where it was set to. One that is set forward at most ends windows early.
 */
const stopwatch = (clock: Clock): (() => number) => {
	let elapsed = 0;
	let before = clock.now().getTime();
	return () => {
		const now = clock.now().getTime();
		elapsed += Math.max(0, now - before);
		before = now;
		return elapsed;
	};
};

/** FNV-1a: even enough to spread newcomers. */
const slotOf = (key: string): number => {
	let hash = 0x811c9dc5;
	for (let i = 0; i < key.length; i += 1) {
		hash = Math.imul(hash ^ key.charCodeAt(i), 0x01000193);
	}
	return (hash >>> 0) % SPILL_SLOTS;
};
