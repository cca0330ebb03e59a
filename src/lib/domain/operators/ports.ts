import type { Account } from '../account/ports.ts';
import type { Email } from '../email.ts';
import type { SessionId, UserId } from '../ids.ts';
import type { OutboxRow } from '../outbox.ts';

/** The last sends to a mailbox, those to its known devices, and the wrong codes in a row. */
interface Sends {
	readonly mailbox: readonly Date[];
	readonly devices: readonly Date[];
	readonly wrongCodes: number;
}

export type OperatorVerb =
	'end_sessions' | 'block' | 'unblock' | 'delete' | 'restore' | 'grant' | 'revoke';

export interface OperatorAction {
	readonly verb: OperatorVerb;
	readonly userId: UserId;
	/** Whether the account can be that of an operator. Pages cannot act on operators. */
	readonly allowsOperators: boolean;
	/** The email address that the account must still have. */
	readonly email?: Email;
	/** The only session to end. Without it, `end_sessions` ends all. */
	readonly session?: SessionId | null;
}

/** The sessions that ended, or why nothing was done. `unchanged`: it already is as requested. */
export type ActionResult = readonly SessionId[] | 'gone' | 'is_operator' | 'unchanged';

export interface Operators {
	/** Whether an active account that is not blocked has the role. */
	isOperator(id: UserId): Promise<boolean>;

	/**
	 * At most `limit` accounts whose email addresses begin with `prefix` and come after `after`, in the
	 * order of their addresses. Also deleted and blocked ones.
	 */
	list(query: {
		readonly prefix: string;
		readonly after: string | null;
		readonly limit: number;
	}): Promise<readonly Account[]>;

	/** Finds an account, also a deleted or blocked one. Null when there is none. */
	find(id: UserId): Promise<Account | null>;

	/** The sends that are stored for an account, newest first, also those that no longer count. */
	sendsOf(account: Pick<Account, 'id' | 'email'>): Promise<Sends>;

	/**
	 * Does an action as a whole with its events and emails, or not at all. Returns the sessions that
	 * ended, or why nothing was done. Blocked and deleted accounts can be acted on too.
	 *
	 * - `end_sessions` ends one session, or all with what could let anyone in again, like
	 *   `Sessions.endOne` and `endSessionsExcept`.
	 * - `block` ends all in the same way, but keeps the devices. A sign-in at the same moment fails, or
	 *   its session is among those that end. Until `unblock`, the right code gets `account_blocked` and
	 *   costs no attempt. Codes still arrive. Old email addresses keep their right to undo an email
	 *   change.
	 * - `unblock` lets the account be signed in to again.
	 * - `delete` is `Accounts.delete`.
	 * - `restore` makes a deleted account active again. It opens no session, and leaves a block.
	 * - `grant` gives an active account the role, and `revoke` takes it. The role also ends when the
	 *   email address changes, also by an undo, and when the account is deleted.
	 */
	act(action: OperatorAction, now: Date, mails?: readonly OutboxRow[]): Promise<ActionResult>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly operators: Operators;
	}
}
