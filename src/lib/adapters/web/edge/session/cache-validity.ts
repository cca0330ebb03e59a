import type { ChangeFeed, Revoked, SignedIn } from '#lib/domain/sessions/ports.ts';

/** Session data that this process has read from the store. */
export interface SeenSession extends SignedIn {
	/**
	 * On this process's monotonic clock, in milliseconds, so setting the system clock makes no stale
	 * entry valid. Taken before the query starts, so that a change during the query counts as later.
	 */
	readonly readAt: number;
}

/** The maximum age of a cache entry, in the browser and in the process. */
export const CACHE_LIFETIME_S = 300;

/** The time of a clock that never goes back, in milliseconds. */
export type Monotonic = () => number;

/**
 * Decides whether a cache entry still matches the store. Changes made by this process count at
 * once; changes of other processes arrive through the change feed within a second. While the feed
 * is interrupted, no entry is current and every request queries the store.
 */
export const cacheValidity = (
	changes: ChangeFeed,
	monotonic: Monotonic,
	bound = MAX_RECENT_CHANGES
) => {
	/** When each session or account last changed. */
	const changedAt = new Map<Revoked, number>();
	/** Entries read until then are stale, because later changes are no longer recorded. */
	let droppedUntil = -Infinity;
	/**
	 * Above the bound it drops all records at once. So a flood of changes costs cache hits, not
	 * memory. Dropping only the oldest would let a flood remove the record of a real sign-out
	 * unnoticed.
	 */
	const record = (id: Revoked): void => {
		changedAt.set(id, monotonic());
		if (changedAt.size <= bound) return;
		changedAt.clear();
		droppedUntil = monotonic();
	};
	changes.subscribe(record);
	return {
		/** No entry read until now may be used if it has one of these sessions or accounts. */
		revoke: (ids: readonly Revoked[]): void => ids.forEach(record),
		isCurrent: ({ readAt, user, session }: SeenSession, now: Date): boolean => {
			const since = changes.reliableSince();
			const lastChange = Math.max(
				droppedUntil,
				changedAt.get(user.id) ?? -Infinity,
				changedAt.get(session.id) ?? -Infinity
			);
			return (
				since !== null &&
				readAt >= since &&
				readAt > lastChange &&
				monotonic() - readAt < CACHE_LIFETIME_S * 1000 &&
				session.expiresAt > now
			);
		}
	};
};

/** The maximum number of ids. Each takes 150 bytes, so 50,000 take 8 MB. */
export const MAX_RECENT_CHANGES = 50_000;
