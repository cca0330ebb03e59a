import type { Challenge, SessionRequest } from '../sign-in/challenge.ts';
import type { User } from '../account/user.ts';
import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UndoId, UserId } from '../ids.ts';

export interface EmailChange {
	/** The challenge that was met: its code was entered correctly, or its link was opened. */
	readonly challengeId: ChallengeId;
	readonly userId: UserId;
	/** The current address. The change fails when the account has another one. */
	readonly from: Email;
	readonly to: Email;
	/** The session that confirms. It is the only one that survives. */
	readonly keep: SessionId;
	/** They go to the outbox together with the change, unless the old address gets a right. */
	readonly emails: readonly OutboxRow[];
	/** The right of the old address to undo the change. */
	readonly undo: UndoRight;
}

export interface UndoRight {
	readonly id: UndoId;
	readonly expiresAt: Date;
	/** They go to the outbox together with a change that gives this right, instead of the others. */
	readonly emails: readonly OutboxRow[];
}

export interface EmailChanged {
	readonly user: User;
	/** The sessions that the change ended. */
	readonly ended: readonly SessionId[];
}

/** An account and the email address that it is to leave. */
export interface AccountAt {
	readonly userId: UserId;
	readonly from: Email;
}

/**
 * Pending email changes and their completion. Each change belongs to the session that requested
 * it. It becomes void as soon as that session expires or ends in any way.
 */
export interface EmailChanges {
	/**
	 * Stores an email change, or the code that must come before one. It replaces the earlier one of
	 * the same purpose and binding, whatever its address. Of two concurrent requests, the one that
	 * was requested later stays.
	 *
	 * Nothing happens when the account is gone, deleted or no longer at `from`. Nothing happens
	 * either when the requesting session is not a live session of this account at `now`.
	 *
	 * The emails go to the outbox together with the change, and only if it is stored.
	 */
	request(
		challenge: SessionRequest,
		account: AccountAt,
		now: Date,
		emails?: readonly OutboxRow[]
	): Promise<void>;

	/**
	 * The newest pending change of an account, of one of the purposes. It has not expired at `now`
	 * and its session is live then. Null when there is none.
	 */
	pendingOf(
		userId: UserId,
		purposes: readonly ('email_change' | 'email_change_link')[],
		now: Date
	): Promise<Challenge | null>;

	cancel(userId: UserId): Promise<void>;

	/**
	 * Consumes the challenge, moves the account to the new address and ends all its sessions but
	 * one. It revokes every code for the old address and everything that the remaining session
	 * requested, forgets every device but that of this session, and adds the emails to the outbox. All of this happens or nothing. The unique index on addresses decides between two
	 * accounts that want the same one.
	 *
	 * The old address gets a right to undo the change, after the rights that earlier addresses have
	 * (`EmailUndos`). An account that moves to an address with such a right does what the undo does with
	 * the rights: the old address gets none, and the right of the new one ends with all later ones.
	 *
	 * Returns `email_taken` when another account has the new address, a deleted account included, or
	 * when the address is reserved for another account at `now`. The challenge stays, and nothing happens.
	 *
	 * Returns null, and nothing happens, when the challenge is gone or belongs to another change.
	 * The same holds when the requesting or the confirming session has ended or expired. It also
	 * holds when the account is gone, deleted or no longer at `from`. Of any number of completions of one
	 * challenge exactly one succeeds.
	 */
	complete(change: EmailChange, now: Date): Promise<EmailChanged | 'email_taken' | null>;
}
