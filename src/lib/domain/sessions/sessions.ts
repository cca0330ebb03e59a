import type { SessionId, UserId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';
import type { Session, SignedIn } from './session.ts';

/** The open sessions. They are found by a keyed hash of their token; nothing here holds the token. */
export interface Sessions {
	/**
	 * The session of a token with its user, unless it expired before or at `now` or its account is
	 * deleted. Writes nothing.
	 */
	find(tokenHash: SecretHash, now: Date): Promise<SignedIn | null>;

	/**
	 * Moves the expiry to `expiresAt` and the last refresh to `now`, if the last refresh was at or
	 * before `dueSince` and the session has not expired. Of any number at once exactly one does
	 * it and gets the session as it is then; the others get null.
	 */
	refresh(id: SessionId, now: Date, dueSince: Date, expiresAt: Date): Promise<Session | null>;

	/** The sessions of an account that have not expired at `now`, the last used first; of the same moment, the newer. */
	listOf(userId: UserId, now: Date): Promise<readonly Session[]>;

	/** Ends the session of a token at once, with all that it requested. Which one that was; null when there was none. */
	end(tokenHash: SecretHash): Promise<SessionId | null>;

	/** Ends one session of an account, with all that it requested. False, and nothing happens, when it is gone or somebody else's. */
	endOne(userId: UserId, id: SessionId): Promise<boolean>;

	/**
	 * Ends all sessions of an account, except one where `keep` names it, and voids what could bring
	 * an attacker back in: the codes for its address, all that any of its sessions requested, and
	 * leaves to restore. All of it or nothing. Which sessions ended.
	 */
	endAll(userId: UserId, keep: SessionId | null): Promise<readonly SessionId[]>;

	/** Removes at most `limit` sessions that expired before or at `now`, with all that they requested; returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}
