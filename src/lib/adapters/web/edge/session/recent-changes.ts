import { LRUCache } from 'lru-cache';

/**
 * The maximum number of ids per kind of change. Each takes 150 bytes, so 50,000 take 8 MB. A change
 * is kept for 305 s. Only a mass deletion or a flood of forged notifications ends more sessions in
 * that time.
 */
export const MAX_RECENT_CHANGES = 50_000;

/** When something changed, in milliseconds. */
export interface ChangedAt {
	/** By the clock that instances share. Operators can set it. */
	readonly at: number;
	/** By the monotonic clock of this process. */
	readonly tick: number;
}

/** The latest change of each id, with bounded memory. */
export interface RecentChanges<Id extends string | number> {
	/**
	 * `tick` is when this process received the change. It must not be less than in the previous call.
	 */
	note(id: Id, at: Date, tick: number): void;
	/** When this id last changed. Null if it did not change, or if the record has expired. */
	lastOf(id: Id): ChangedAt | null;
	/**
	 * Anything read before this time may have changed without a record, because too many changes
	 * arrived and their records were dropped.
	 */
	droppedUntil(): ChangedAt;
}

const NEVER: ChangedAt = { at: -Infinity, tick: -Infinity };

/**
 * Keeps changes for `lifetime` seconds of monotonic time. Older cache entries have expired, and
 * setting the system clock cannot drop a record early. Above the bound it drops all records at once
 * and reports this in `droppedUntil`. Dropping only the oldest would let a flood remove the record
 * of a real sign-out unnoticed.
 */
export const recentChanges = <Id extends string | number>(
	lifetime: number,
	bound: number = MAX_RECENT_CHANGES
): RecentChanges<Id> => {
	/**
	 * In order of `tick`, so the oldest records come first. Not a `Map`: to find its first entry, V8
	 * walks past all deleted entries, up to 0.1 ms per call. The size is the bound plus one, so that
	 * the cache never drops an entry by itself.
	 */
	const noted = new LRUCache<Id, ChangedAt>({ max: bound + 1 });
	const forgetUntil = (tick: number): void => {
		for (;;) {
			const [oldest] = noted.rkeys();
			if (oldest === undefined || (noted.peek(oldest)?.tick ?? -Infinity) > tick) return;
			noted.delete(oldest);
		}
	};
	let dropped = NEVER;
	let latest = -Infinity;
	return {
		note: (id, at, tick) => {
			forgetUntil(tick - lifetime * 1000);
			// The feed may have reported this change already, with the clock of another instance. Keep
			// the later time.
			const time = Math.max(at.getTime(), noted.peek(id)?.at ?? -Infinity);
			latest = Math.max(latest, time);
			noted.set(id, { at: time, tick });
			if (noted.size <= bound) return;
			noted.clear();
			dropped = { at: latest, tick };
		},
		lastOf: (id) => noted.peek(id) ?? null,
		droppedUntil: () => dropped
	};
};
