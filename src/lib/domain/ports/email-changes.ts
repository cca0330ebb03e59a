import type { Challenge } from '../challenge.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UserId } from '../ids.ts';
import type { User } from '../user.ts';

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

/** Changes of address: those that wait, and the moment of one. */
export interface EmailChanges {
	/**
	 * Puts a change in place, bound to its account (`challenge.boundTo`): it replaces the account's
	 * earlier one of the same purpose, whatever its address. Of two asked for at once one stays, the
	 * one asked for later. Nothing happens when the account is gone, deleted or no longer at `from`.
	 */
	request(challenge: Challenge, from: Email, now: Date): Promise<void>;

	/** The change an account asked for last and that has not expired at `now`, by code or by link; null when none waits. */
	pendingOf(userId: UserId, now: Date): Promise<Challenge | null>;

	/** Forgets whatever change waits for this account. */
	cancel(userId: UserId): Promise<void>;

	/**
	 * Consumes the challenge, moves the account to the new address, ends all its sessions but one,
	 * and voids every code for the old address and every other change of this account: all of it
	 * or nothing. The unique index on addresses decides between two who want the same one.
	 *
	 * `email_taken` when somebody else has the new address by now, a deleted account included; the
	 * challenge stays then, and nothing happens. Null, and nothing happens either, when the challenge
	 * is gone or of another change, and when the account is gone, deleted or no longer at `from`: of
	 * any number of completions of one challenge exactly one succeeds.
	 */
	complete(change: EmailChange, now: Date): Promise<EmailChanged | 'email_taken' | null>;
}
