import { LRUCache } from 'lru-cache';

/**
 * Ids kept per kind of change. Each takes 150 bytes, so a full record takes 8 MB. Sites end fewer
 * sessions than that within the 300 s a change is kept for; only a flood of forged notifications or a
 * mass deletion reaches it.
 */
export const MAX_RECENT_CHANGES = 50_000;

/** When something changed, in milliseconds. */
export interface ChangedAt {
	/** By the clock that instances share; operators may set it. */
	readonly at: number;
	/** By the monotonic clock of this process. */
	readonly tick: number;
}

/** The latest change of each id, in bounded memory. */
export interface RecentChanges<Id extends string | number> {
	/** `tick` is when this process learned of it, and never less than before. */
	note(id: Id, at: Date, tick: number): void;
	/** When this id changed last; null when that is not known or too long ago. */
	lastOf(id: Id): ChangedAt | null;
	/**
	 * What was read until then may have changed without a record of it: changes were dropped because
	 * there were too many.
	 */
	droppedUntil(): ChangedAt;
}

const NEVER: ChangedAt = { at: -Infinity, tick: -Infinity };

/**
 * Keeps changes for `lifetime` seconds of monotonic time: a cache entry that is older expires anyway, and
 * no clock that somebody sets makes it forget earlier. Above the bound it drops all of them at once and
 * says so by `droppedUntil`. To drop only the oldest would let a flood push out the end of a real session
 * unnoticed.
 */
export const recently = <Id extends string | number>(
	lifetime: number,
	bound: number = MAX_RECENT_CHANGES
): RecentChanges<Id> => {
	/**
	 * In the order of the ticks, so that the oldest are found first. A `Map` would be slow here: to find
	 * its first entry, V8 passes all the places of entries that were deleted, up to 0.1 ms for each note.
	 * One more than the bound, so that the cache never drops an entry by itself.
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
			// The feed may have told it already, with room for clocks that differ.
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
