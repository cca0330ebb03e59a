import type { Email } from '../email.ts';
import type { ChallengeId, MailId, SessionId, UndoId, UserId } from '../ids.ts';
import type { DevicePlacement } from '../sessions/ports.ts';
import type { EmailChangeNoticeMail, Delivery, NoticeStage } from '../mail.ts';
import type { OutboxRow } from '../outbox.ts';
import type { Signer } from '../ports.ts';
import type { Challenge, SessionChallenge } from '../sign-in/ports.ts';
import type { User } from '../user.ts';

export interface EmailChange {
	/** The challenge that was met: its code was entered correctly, or its link was opened. */
	readonly challengeId: ChallengeId;
	readonly userId: UserId;
	/** The current email address. The change fails when the account has another one. */
	readonly from: Email;
	readonly to: Email;
	/** The session that confirms. It is the only one that survives. Null for an operator's change. */
	readonly keep: SessionId | null;
	/** Why an operator changes it. The events keep it. */
	readonly reason?: string;
	/** Sent if the old email address gets no right to undo. */
	readonly mailsWithoutUndo: readonly OutboxRow[];
	readonly undo: UndoRight;
}

export interface UndoRight {
	readonly id: UndoId;
	readonly expiresAt: Date;
	/** Sent if the old email address gets this right. */
	readonly mailsWithUndo: readonly OutboxRow[];
}

export interface EmailChanged {
	readonly user: User;
	readonly ended: readonly SessionId[];
}

export type ChangeResult = EmailChanged | 'email_taken' | null;

/** An account, and the email address that it must still have. */
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
	 * the same purpose and binding, whatever its email address. Of two concurrent requests, the one
	 * that was requested later stays.
	 *
	 * Nothing happens when the account is gone, deleted or no longer at `from`. Nothing happens
	 * either when the requesting session is not a live session of this account at `now`.
	 *
	 * The emails go to the outbox together with the change, and only if it is stored.
	 */
	request(
		challenge: SessionChallenge,
		account: AccountAt,
		now: Date,
		mails?: readonly OutboxRow[]
	): Promise<void>;

	/**
	 * The newest pending change of an account, by code or by link unless `purpose` names one. It has
	 * not expired at `now` and its session is live then. Null when there is none.
	 */
	pendingOf(
		userId: UserId,
		now: Date,
		purpose?: 'email_change' | 'email_change_link'
	): Promise<Challenge | null>;

	/** Cancels the pending change of an account. Its code or link stops working. */
	cancel(userId: UserId): Promise<void>;

	/**
	 * Consumes the challenge, moves the account to the new email address and ends all its sessions
	 * but `keep`. It revokes every code for the old address and everything that the remaining session
	 * requested. It makes every device unknown except that of this session, and adds the emails to the
	 * outbox. All of this happens or nothing. The unique index on addresses decides between two
	 * accounts that want the same one. An operator's change also moves a blocked account, and its
	 * challenge must be one for an operator's change.
	 *
	 * The old address gets a right to undo the change, after the rights that earlier addresses have
	 * (`EmailUndos`). Moving back to an address with such a right counts as an undo: that right and
	 * all later ones end, and the address that is left gets none.
	 *
	 * Returns `email_taken` when another account has the new address, a deleted account included, or
	 * when the address is reserved for another account at `now`. The challenge stays, and nothing happens.
	 *
	 * Returns null, and nothing happens, when the challenge is gone or belongs to another change.
	 * The same holds when the requesting or the confirming session has ended or expired. It also
	 * holds when the account is gone, deleted or no longer at `from`. Of any number of completions of one
	 * challenge exactly one succeeds.
	 */
	complete(change: EmailChange, now: Date): Promise<ChangeResult>;
}

export interface UndoableChange {
	readonly id: UndoId;
	/** The old email address, which can have the account back. */
	readonly to: Email;
	/** The email address that the account has now. */
	readonly from: Email;
	readonly expiresAt: Date;
}

export interface Undo extends Pick<UndoableChange, 'id' | 'from'> {
	/** They go to the outbox together with the undo. */
	readonly mails: readonly OutboxRow[];
	/** Makes the client that undoes the change a known device of the account. */
	readonly device: DevicePlacement;
}

/**
 * The rights of old email addresses to undo an email change. `EmailChanges.complete` adds them.
 *
 * The rights of an account are in the order of its changes. An undo removes the right that it uses
 * and all later ones, and gives the address that the account leaves no right. So an earlier address
 * keeps its right whatever later ones do, and a later one never undoes an undo.
 *
 * While it has the right, an address is reserved: no account is created with it, and no other account
 * moves to it.
 */
export interface EmailUndos {
	/** The change that an unexpired right can undo. Also finds those of deleted accounts. */
	find(id: UndoId, now: Date): Promise<UndoableChange | null>;

	/** The old email addresses of an account with such a right at `now`, in the order of changes. */
	listOf(userId: UserId, now: Date): Promise<readonly Pick<UndoableChange, 'to' | 'expiresAt'>[]>;

	isReserved(email: Email, now: Date): Promise<boolean>;

	/**
	 * Moves the account back to the old email address and ends all its sessions with everything that
	 * they requested. Revokes every code for both addresses, and makes every device of the account
	 * unknown. Then the client becomes its only known device, also of a deleted account, which stays
	 * deleted. So an attacker who uses up the sends of unknown clients cannot keep the owner out. All of
	 * this happens or nothing.
	 *
	 * Returns null, and nothing happens, when the right is gone or has expired, or when the account is
	 * no longer at `from`. Of any number of undos with one right exactly one succeeds.
	 */
	undo(undo: Undo, now: Date): Promise<EmailChanged | null>;

	/** Removes at most `limit` rights that expired at or before `now`. Returns how many. */
	prune(now: Date, limit: number): Promise<number>;
}

/** Tells the owner of an account about changes. An application can replace it with its own. */
export interface ChangeNotices {
	/** When there is a notice. */
	readonly stages: readonly NoticeStage[];
	/**
	 * Sends a notice. The outbox calls `send` again if it throws or returns anything but `sent`,
	 * `rejected` or `bounced`, for up to 24 hours.
	 */
	send(notice: EmailChangeNoticeMail, id: MailId): Promise<Delivery>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly emailChanges: EmailChanges;
		readonly emailUndos: EmailUndos;
	}
	interface UseCaseDeps {
		readonly changeLinkSigner: Signer;
		readonly changeNotices: ChangeNotices;
		readonly undoSigner: Signer;
		/** Whether this installation sends links that confirm an email change. */
		readonly changeLinks: boolean;
		readonly reauthentication: boolean;
	}
}
