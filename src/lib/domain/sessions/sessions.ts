import type { SessionId, UserId } from '../ids.ts';
import type { EndedSession } from './invalidation.ts';
import type { SecretHash } from '../secret.ts';
import type { Session, SignedIn } from './session.ts';

/**
 * The open sessions. They are found by a keyed hash of their token. The token itself is never
 * stored.
 */
export interface Sessions {
	/**
	 * The session of a token with its user. Null when the session expired at or before `now`, or
	 * when its account is deleted. Writes nothing.
	 */
	find(tokenHash: SecretHash, now: Date): Promise<SignedIn | null>;

	/**
	 * Sets the expiry to `expiresAt` and the last refresh to `now`, if the last refresh was at or
	 * before `dueSince` and the session has not expired. Of any number of concurrent calls, exactly
	 * one does this and gets the updated session. The others get null.
	 */
	refresh(id: SessionId, now: Date, dueSince: Date, expiresAt: Date): Promise<Session | null>;

	/**
	 * The sessions of an account that have not expired at `now`, the last used first. Of two used
	 * at the same moment, the newer comes first.
	 */
	listOf(userId: UserId, now: Date): Promise<readonly Session[]>;

	/**
	 * Ends the session of a token at once, with everything that it requested. Returns its id, or
	 * null when there was none.
	 */
	end(tokenHash: SecretHash): Promise<EndedSession | null>;

	/**
	 * Ends one session of an account, with everything that it requested. Returns its id. Returns
	 * null, and does nothing, when it is gone or belongs to another account.
	 */
	endOne(userId: UserId, id: SessionId): Promise<EndedSession | null>;

	/**
	 * Ends all sessions of an account, except `keep` if it is set. Also revokes what could let an
	 * attacker in again: the codes for its email address, everything that any of its sessions
	 * requested, and restore grants. All of this happens or nothing. Returns the ended sessions.
	 */
	endAll(userId: UserId, keep: SessionId | null): Promise<readonly EndedSession[]>;

	/**
	 * Removes at most `limit` sessions that expired at or before `now`, with everything that they
	 * requested. Returns how many, and no ids: no cache entry of an expired session is valid.
	 */
	prune(now: Date, limit: number): Promise<number>;
}
