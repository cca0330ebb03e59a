import type { FoundAccount } from '../account/ports.ts';
import type { EmailChange, EmailChanged } from '../email-change/ports.ts';
import type { Email } from '../email.ts';
import type { SessionId, UserId } from '../ids.ts';
import type { OutboxRow } from '../outbox.ts';
import type { Role } from '../user.ts';

/** An account as operators see it. */
export interface ManagedAccount extends FoundAccount {
	readonly blockedAt: Date | null;
	readonly role: Role | null;
}

/** Which accounts to list, in the order of their email addresses. */
export interface AccountQuery {
	/** The beginning of the email address. Empty for all accounts. */
	readonly prefix: string;
	/** Only accounts after this email address. */
	readonly after: string | null;
	readonly limit: number;
}

/** The last sends to a mailbox, those to its known devices, and the wrong guesses in a row. */
export interface Sends {
	readonly mailbox: readonly Date[];
	readonly devices: readonly Date[];
	readonly wrongGuesses: number;
}

/** What an operator does to one account. */
export interface Action {
	readonly userId: UserId;
	readonly now: Date;
	/** Whether the account can be that of an operator. Pages cannot act on operators. */
	readonly mayBeOperator: boolean;
}

/** Why nothing was done. `unchanged`: the account already is as requested. */
export type NotDone = 'gone' | 'is_operator' | 'unchanged';

/** An email change that an operator confirms. No session survives it. */
export type OperatorChange = Omit<EmailChange, 'keep'> & {
	/** Why. The events keep it. */
	readonly reason: string;
};

/**
 * What operators do. Each action is done as a whole with its events, or not at all. Then it returns
 * why not.
 */
export interface Operators {
	/** Whether an active account that is not blocked has the role. */
	isOperator(id: UserId): Promise<boolean>;

	/**
	 * Gives the role to the active account of an email address, or takes it. The role ends when the
	 * email address of the account changes, also by an undo, and when the account is deleted. An account
	 * that leaves the address at the same moment gets no role.
	 */
	setRole(email: Email, role: Role | null, now: Date): Promise<UserId | NotDone>;

	/** Accounts by the beginning of their email addresses, also deleted and blocked ones. */
	list(query: AccountQuery): Promise<readonly ManagedAccount[]>;

	find(id: UserId): Promise<ManagedAccount | null>;

	sendsOf(account: ManagedAccount): Promise<Sends>;

	/**
	 * Ends one session, or all with what could let anyone in again, like `Sessions.endOne` and
	 * `endAll`. Returns the ended sessions.
	 */
	endSessions(action: Action, session: SessionId | null): Promise<readonly SessionId[] | NotDone>;

	/**
	 * Blocks an account, also a deleted one. Ends its sessions with everything that they requested,
	 * revokes the codes of its email address and its restore grants, and forgets its devices. Old
	 * addresses keep their right to undo an email change. Returns the ended sessions.
	 *
	 * A sign-in at the same moment fails, or its session is among those that end.
	 */
	block(action: Action): Promise<readonly SessionId[] | NotDone>;

	/** Lets a blocked account be signed in to again. */
	unblock(action: Action): Promise<UserId | NotDone>;

	/** Deletes an account, like `Accounts.delete`. Returns the ended sessions. */
	delete(action: Action, emails: readonly OutboxRow[]): Promise<readonly SessionId[] | NotDone>;

	/** Makes a deleted account active again. Opens no session, and leaves a block. */
	restore(action: Action): Promise<UserId | NotDone>;

	/**
	 * Moves an account like `EmailChanges.complete`, also a blocked one, and ends all its sessions. The
	 * challenge must be one for an operator's change.
	 */
	changeEmail(change: OperatorChange, now: Date): Promise<EmailChanged | 'email_taken' | null>;
}
