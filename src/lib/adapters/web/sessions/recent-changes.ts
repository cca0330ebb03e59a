/**
 * Ids kept per kind of change. Each takes 150 bytes, so a full record takes 8 MB. Sites end fewer
 * sessions than that within the 300 s a change is kept for; only a flood of forged notifications or a
 * mass deletion reaches it.
 */
export const MAX_RECENT_CHANGES = 50_000;

/** The latest change of each id, in bounded memory. */
export interface RecentChanges<Id> {
	note(id: Id, at: Date): void;
	/** When this id changed last, in milliseconds; null when that is not known or too long ago. */
	lastOf(id: Id): number | null;
	/**
	 * What was read at or before this instant, in milliseconds, may have changed without a record of it:
	 * changes were dropped because there were too many.
	 */
	droppedUntil(): number;
}

/**
 * Keeps changes for `lifetime` seconds: a cache entry that is older expires anyway. Above the bound it
 * drops all of them at once and says so by `droppedUntil`. To drop only the oldest would let a flood
 * push out the end of a real session unnoticed.
 */
export const recently = <Id>(
	lifetime: number,
	bound: number = MAX_RECENT_CHANGES
): RecentChanges<Id> => {
	/** In the order of the times, so that the oldest are found first. */
	const noted = new Map<Id, number>();
	let droppedUntil = -Infinity;
	let latest = -Infinity;
	return {
		note: (id: Id, at: Date): void => {
			const forgotten = at.getTime() - lifetime * 1000;
			for (const [one, time] of noted) {
				if (time > forgotten) break;
				noted.delete(one);
			}
			// The feed may have told it already, with room for clocks that differ.
			const time = Math.max(at.getTime(), noted.get(id) ?? -Infinity);
			latest = Math.max(latest, time);
			noted.delete(id);
			noted.set(id, time);
			if (noted.size <= bound) return;
			noted.clear();
			droppedUntil = latest;
		},
		lastOf: (id: Id): number | null => noted.get(id) ?? null,
		droppedUntil: () => droppedUntil
	};
};
