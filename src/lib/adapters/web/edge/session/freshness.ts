import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { ChangeFeed, SignedIn } from '#lib/domain/sessions/ports.ts';
import { recentChanges, type ChangedAt } from './recent-changes.ts';

/** Session data from the store, and when it was read. */
export interface SeenSession extends SignedIn {
	/** Taken before the query starts, so that a change during the query counts as later. */
	readonly readAt: Date;
	/**
	 * The same time on this process's monotonic clock, in milliseconds. Missing if another process
	 * read the store.
	 */
	readonly tick?: number;
}

/** The maximum age of a cache entry, in seconds. */
export const CACHE_LIFETIME = 300;

/** By how many seconds the clocks of instances may differ. */
const CLOCK_SKEW = 5;

/** Returns false for entries that are too old, expired or dated in the future. */
export const isWithinLifetime = ({ readAt, session }: SeenSession, now: Date): boolean => {
	const age = now.getTime() - readAt.getTime();
	return age >= 0 && age < CACHE_LIFETIME * 1000 && session.expiresAt > now;
};

/** The time of a clock that never goes back, in milliseconds. */
export type Monotonic = () => number;

/**
 * Decides whether a cache entry still matches the store. Changes made by this process count at
 * once; changes of other processes arrive through the change feed within a second. While the feed
 * is interrupted, no entry is fresh and every request queries the store. If more changes arrive
 * than can be recorded, all entries read before the last of them are stale. So a flood of changes
 * costs cache hits, not memory.
 *
 * The age of this process's own entries is measured with the monotonic clock, so setting the system
 * clock cannot make them valid again. Entries of other processes are compared by the shared clock.
 */
export interface Freshness {
	sessionsEnded(ids: readonly SessionId[], now: Date): void;
	accountsChanged(ids: readonly UserId[], now: Date): void;
	isFresh(seen: SeenSession): boolean;
}

export const freshness = (changes: ChangeFeed, monotonic: Monotonic): Freshness => {
	const ended = recentChanges<SessionId>(CACHE_LIFETIME + CLOCK_SKEW);
	const changed = recentChanges<UserId>(CACHE_LIFETIME + CLOCK_SKEW);
	changes.subscribe((change) => {
		if (change.kind === 'session_ended') ended.note(change.id, change.at, monotonic());
		else changed.note(change.id, change.at, monotonic());
	});
	return {
		sessionsEnded: (ids, now) => {
			for (const id of ids) ended.note(id, now, monotonic());
		},
		accountsChanged: (ids, now) => {
			for (const id of ids) changed.note(id, now, monotonic());
		},
		isFresh: (seen) => {
			const since = changes.reliableSince();
			if (since === null || ended.lastOf(seen.session.id) !== null) return false;
			const { readAt, tick } = seen;
			if (tick === undefined ? readAt <= since.at : tick < since.tick) return false;
			if (tick !== undefined && monotonic() - tick >= CACHE_LIFETIME * 1000) return false;
			const lastChange = changed.lastOf(seen.user.id);
			const isAfter = (change: ChangedAt): boolean =>
				tick === undefined ? readAt.getTime() > change.at : tick > change.tick;
			return (
				isAfter(ended.droppedUntil()) &&
				isAfter(changed.droppedUntil()) &&
				(lastChange === null || isAfter(lastChange))
			);
		}
	};
};
