import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { ChangeFeed } from '#lib/domain/sessions/change-feed.ts';
import type { SignedIn } from '#lib/domain/sessions/session.ts';
import { recently, type ChangedAt } from './recent-changes.ts';

/** What the store said about a session, and when it was asked. */
export interface SeenSession extends SignedIn {
	/** Taken before the store was asked, so that no change after it has been seen by mistake. */
	readonly readAt: Date;
	/**
	 * The same in milliseconds of this process's monotonic clock, which nobody can set. Missing when
	 * another process asked the store.
	 */
	readonly tick?: number;
}

/** How long what the store said may be believed at most, in seconds. */
export const CACHE_LIFETIME = 300;

/** How far instances may disagree on how old an entry is, in seconds. */
const CLOCK_SKEW = 5;

/** Returns false for entries that are too old, expired or dated in the future. */
export const mayStillHold = ({ readAt, session }: SeenSession, now: Date): boolean => {
	const age = now.getTime() - readAt.getTime();
	return age >= 0 && age < CACHE_LIFETIME * 1000 && session.expiresAt > now;
};

/** In milliseconds, by a clock that only goes forward. */
export type Monotonic = () => number;

/**
 * Whether what was read before is still as the store has it. What changes through this process is
 * known at once, what others change by the feed, within a second. While the feed cannot vouch for
 * that, nothing is fresh and everybody asks the store. When there are more changes than it may record, all
 * that was read before the last of them is stale: a flood costs trust, not memory.
 *
 * What this process has read is judged by monotonic time, so no clock that is set forward or back makes it
 * count again. Only what another process has read is judged by the clock that both share.
 */
export interface Freshness {
	sessionsEnded(ids: readonly SessionId[], now: Date): void;
	accountChanged(id: UserId, now: Date): void;
	isFresh(seen: SeenSession): boolean;
}

export const freshness = (changes: ChangeFeed, monotonic: Monotonic): Freshness => {
	const ended = recently<SessionId>(CACHE_LIFETIME + CLOCK_SKEW);
	const changed = recently<UserId>(CACHE_LIFETIME + CLOCK_SKEW);
	changes.subscribe((change) => {
		if (change.kind === 'session_ended') ended.note(change.id, change.at, monotonic());
		else changed.note(change.id, change.at, monotonic());
	});
	return {
		sessionsEnded: (ids, now) => {
			for (const id of ids) ended.note(id, now, monotonic());
		},
		accountChanged: (id, now) => changed.note(id, now, monotonic()),
		isFresh: (seen) => {
			const since = changes.unbrokenSince();
			if (since === null || ended.lastOf(seen.session.id) !== null) return false;
			const { readAt, tick } = seen;
			if (tick === undefined ? readAt <= since.at : tick < since.tick) return false;
			if (tick !== undefined && monotonic() - tick >= CACHE_LIFETIME * 1000) return false;
			const lastChange = changed.lastOf(seen.user.id);
			return (
				isAfter(seen, ended.droppedUntil()) &&
				isAfter(seen, changed.droppedUntil()) &&
				(lastChange === null || isAfter(seen, lastChange))
			);
		}
	};
};

const isAfter = ({ readAt, tick }: SeenSession, change: ChangedAt): boolean =>
	tick === undefined ? readAt.getTime() > change.at : tick > change.tick;
