import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { ChangeFeed } from '#lib/domain/ports/change-feed.ts';
import type { SignedIn } from '#lib/domain/session.ts';
import { recently } from './sessions/recent-changes.ts';

/** What the store said about a session, and when it was asked. */
export interface SeenSession extends SignedIn {
	/** Taken before the store was asked, so that no change after it has been seen by mistake. */
	readonly readAt: Date;
}

/** How long what the store said may be believed at most, in seconds. */
export const CACHE_LIFETIME = 300;

/** Whether it is young enough, and of a session that has not expired. Clocks may be set: of the future is neither. */
export const mayStillHold = ({ readAt, session }: SeenSession, now: Date): boolean => {
	const age = now.getTime() - readAt.getTime();
	return age >= 0 && age < CACHE_LIFETIME * 1000 && session.expiresAt > now;
};

/**
 * Whether what was read before is still as the store has it. What changes through this process is
 * known at once, what others change by the feed, within a second. While the feed cannot vouch for
 * that, nothing is fresh and everybody asks the store. When there are more changes than it may record, all
 * that was read before the last of them is stale: a flood costs trust, not memory.
 */
export interface Freshness {
	sessionsEnded(ids: readonly SessionId[], now: Date): void;
	accountChanged(id: UserId, now: Date): void;
	isFresh(seen: SeenSession): boolean;
}

export const freshness = (changes: ChangeFeed): Freshness => {
	const ended = recently<SessionId>(CACHE_LIFETIME);
	const changed = recently<UserId>(CACHE_LIFETIME);
	changes.subscribe((change) => {
		if (change.kind === 'session_ended') ended.note(change.id, change.at);
		else changed.note(change.id, change.at);
	});
	return {
		sessionsEnded: (ids, now) => {
			for (const id of ids) ended.note(id, now);
		},
		accountChanged: (id, now) => changed.note(id, now),
		isFresh: ({ readAt, session, user }) => {
			const at = readAt.getTime();
			const since = changes.unbrokenSince();
			if (since === null || at <= since.getTime() || ended.lastOf(session.id) !== null)
				return false;
			if (at <= Math.max(ended.droppedUntil(), changed.droppedUntil())) return false;
			const lastChange = changed.lastOf(user.id);
			return lastChange === null || at > lastChange;
		}
	};
};
