import type { Challenge, SessionRequest } from '../sign-in/challenge.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UserId } from '../ids.ts';
import type { User } from '../account/user.ts';

export interface EmailChange {
	/** The challenge that was met: its code entered rightly, or its link followed. */
	readonly challengeId: ChallengeId;
	readonly userId: UserId;
	/** The address the account must still have. */
	readonly from: Email;
	readonly to: Email;
	/** The session that confirms, which alone survives. */
	readonly keep: SessionId;
}

export interface EmailChanged {
	readonly user: User;
	/** The sessions that ended with it. */
	readonly ended: readonly SessionId[];
}

/** An account at the address it is to leave. */
export interface AccountAt {
	readonly userId: UserId;
	readonly from: Email;
}

/**
 * Changes of address: those that are pending, and the moment of one. Each belongs to the session
 * that requested it and is void as soon as that session ends, by whatever way, or expires.
 */
export interface EmailChanges {
	/**
	 * Puts a change, or the code that must come before one, in place. It replaces the earlier one of
	 * the same purpose and binding, whatever its address. Of two requests at once one stays, the one
	 * requested later. Nothing happens when the account is gone, deleted or no longer at `from`, or
	 * when the session that requests it is not a living one of this account at `now`.
	 */
	request(challenge: SessionRequest, account: AccountAt, now: Date): Promise<void>;

	/**
	 * The change an account requested last, of one of the purposes, that has not expired at `now` and
	 * whose session lives then; null when there is none.
	 */
	pendingOf(
		userId: UserId,
		purposes: readonly ('email_change' | 'email_change_link')[],
		now: Date
	): Promise<Challenge | null>;

	/** Removes the pending changes of this account. */
	cancel(userId: UserId): Promise<void>;

	/**
	 * Consumes the challenge, moves the account to the new address, ends all its sessions but one,
	 * and voids every code for the old address and all that the remaining session has requested:
	 * all of it or nothing. The unique index on addresses decides between two who want the same one.
	 *
	 * `email_taken` when another account has the new address, a deleted account included; the
	 * challenge stays then, and nothing happens. Null, and nothing happens either, when the challenge
	 * is gone or of another change, when the session that requested it or the one that confirms has
	 * ended or expired, and when the account is gone, deleted or no longer at `from`: of any number
	 * of completions of one challenge exactly one succeeds.
	 */
	complete(change: EmailChange, now: Date): Promise<EmailChanged | 'email_taken' | null>;
}
