import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { ChangeFeed, SignedIn } from '#lib/domain/sessions/ports.ts';

export interface SeenSession extends SignedIn {
	/** Taken before the query starts, so that a change during the query counts as later. */
	readonly readAt: Date;
	/**
	 * The same time on this process's monotonic clock, in milliseconds. Missing if another process
	 * read the store.
	 */
	readonly monotonicMs?: number;
}

/** The maximum age of a cache entry, in the browser and in the process. */
export const CACHE_LIFETIME_S = 300;

/** Returns false for entries that are too old, expired or dated in the future. */
export const isWithinLifetime = ({ readAt, session }: SeenSession, now: Date): boolean => {
	const age = now.getTime() - readAt.getTime();
	return age >= 0 && age < CACHE_LIFETIME_S * 1000 && session.expiresAt > now;
};

/** The time of a clock that never goes back, in milliseconds. */
export type Monotonic = () => number;

/**
 * Decides whether a cache entry still matches the store. Changes made by this process count at
 * once; changes of other processes arrive through the change feed within a second. While the feed
 * is interrupted, no entry is current and every request queries the store. If more changes arrive
 * than can be recorded, all entries read before the last of them are stale. So a flood of changes
 * costs cache hits, not memory.
 *
 * The age of this process's own entries is measured with the monotonic clock, so setting the system
 * clock cannot make them valid again. Entries of other processes are compared by the shared clock.
 */
export interface CacheValidity {
	sessionsEnded(ids: readonly SessionId[], now: Date): void;
	accountsChanged(ids: readonly UserId[], now: Date): void;
	isCurrent(seen: SeenSession): boolean;
}

export const cacheValidity = (changes: ChangeFeed, monotonic: Monotonic): CacheValidity => {
	const ended = recentChanges<SessionId>();
	const changed = recentChanges<UserId>();
	changes.subscribe((change) => {
		if (change.kind === 'session_ended') ended.record(change.id, change.at, monotonic());
		else changed.record(change.id, change.at, monotonic());
	});
	return {
		sessionsEnded: (ids, now) => {
			for (const id of ids) ended.record(id, now, monotonic());
		},
		accountsChanged: (ids, now) => {
			for (const id of ids) changed.record(id, now, monotonic());
		},
		isCurrent: (seen) => {
			const since = changes.reliableSince();
			if (since === null || ended.lastOf(seen.session.id) !== null) return false;
			const { readAt, monotonicMs } = seen;
			if (monotonicMs === undefined ? readAt <= since.at : monotonicMs < since.monotonicMs)
				return false;
			if (monotonicMs !== undefined && monotonic() - monotonicMs >= CACHE_LIFETIME_S * 1000)
				return false;
			const lastChange = changed.lastOf(seen.user.id);
			const isAfter = (change: ChangedAt): boolean =>
				monotonicMs === undefined ? readAt.getTime() > change.at : monotonicMs > change.monotonicMs;
			return (
				isAfter(ended.droppedUntil()) &&
				isAfter(changed.droppedUntil()) &&
				(lastChange === null || isAfter(lastChange))
			);
		}
	};
};

/** The maximum number of ids per kind of change. Each takes 150 bytes, so 50,000 take 8 MB. */
export const MAX_RECENT_CHANGES = 50_000;

/** When something changed, in milliseconds. */
interface ChangedAt {
	/** By the clock that instances share. Operators can set it. */
	readonly at: number;
	/** By the monotonic clock of this process. */
	readonly monotonicMs: number;
}

/** The latest change of each id, with bounded memory. */
export interface RecentChanges<Id extends string | number> {
	/** `monotonicMs` is when this process received the change. */
	record(id: Id, at: Date, monotonicMs: number): void;
	/** When this id last changed. Null if it did not change, or if its record was dropped. */
	lastOf(id: Id): ChangedAt | null;
	/**
	 * Anything read before this time may have changed without a record, because too many changes
	 * arrived and their records were dropped.
	 */
	droppedUntil(): ChangedAt;
}

const NEVER: ChangedAt = { at: -Infinity, monotonicMs: -Infinity };

/**
 * Above the bound it drops all records at once and reports this in `droppedUntil`. Dropping only the
 * oldest would let a flood remove the record of a real sign-out unnoticed.
 */
export const recentChanges = <Id extends string | number>(
	bound: number = MAX_RECENT_CHANGES
): RecentChanges<Id> => {
	const recorded = new Map<Id, ChangedAt>();
	let dropped = NEVER;
	let latest = -Infinity;
	return {
		record: (id, at, monotonicMs) => {
			// The feed may have reported this change already, with the clock of another instance. Keep
			// the later time.
			const time = Math.max(at.getTime(), recorded.get(id)?.at ?? -Infinity);
			latest = Math.max(latest, time);
			recorded.set(id, { at: time, monotonicMs });
			if (recorded.size <= bound) return;
			recorded.clear();
			dropped = { at: latest, monotonicMs };
		},
		lastOf: (id) => recorded.get(id) ?? null,
		droppedUntil: () => dropped
	};
};
