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
export interface RecentChanges<Id> {
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
export const recently = <Id>(
	lifetime: number,
	bound: number = MAX_RECENT_CHANGES
): RecentChanges<Id> => {
	/** In the order of the ticks, so that the oldest are found first. */
	const noted = new Map<Id, ChangedAt>();
	let dropped = NEVER;
	let latest = -Infinity;
	return {
		note: (id, at, tick) => {
			for (const [one, change] of noted) {
				if (change.tick > tick - lifetime * 1000) break;
				noted.delete(one);
			}
			// The feed may have told it already, with room for clocks that differ.
			const time = Math.max(at.getTime(), noted.get(id)?.at ?? -Infinity);
			latest = Math.max(latest, time);
			noted.delete(id);
			noted.set(id, { at: time, tick });
			if (noted.size <= bound) return;
			noted.clear();
			dropped = { at: latest, tick };
		},
		lastOf: (id) => noted.get(id) ?? null,
		droppedUntil: () => dropped
	};
};
