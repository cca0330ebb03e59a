import type { SessionId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';
import type { Session, SignedIn } from '../session.ts';

/** The open sessions. They are found by a keyed hash of their token; nothing here holds the token. */
export interface Sessions {
	/** The session of a token with its user, unless it expired before or at `now`. Writes nothing. */
	find(tokenHash: SecretHash, now: Date): Promise<SignedIn | null>;

	/**
	 * Moves the expiry to `expiresAt` and the last refresh to `now`, if the last refresh was at or
	 * before `dueSince` and the session has not expired. Of any number at once exactly one does
	 * it and gets the session as it is then; the others get null.
	 */
	refresh(id: SessionId, now: Date, dueSince: Date, expiresAt: Date): Promise<Session | null>;

	/** Ends the session of a token at once. Which one that was; null when there was none. */
	end(tokenHash: SecretHash): Promise<SessionId | null>;

	/** Removes at most `limit` sessions that expired before or at `now`; returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}
