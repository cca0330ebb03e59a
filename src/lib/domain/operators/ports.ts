import type { SessionId, UserId } from '../ids.ts';

/** What an operator does to one account. */
export interface Action {
	readonly userId: UserId;
	readonly now: Date;
	/** Whether the account can be that of an operator. Pages cannot act on operators. */
	readonly mayBeOperator: boolean;
}

/** Why nothing was done. `unchanged`: the account already is as requested. */
export type NotDone = 'gone' | 'is_operator' | 'unchanged';

/** What operators do. Each action is done as a whole or not at all, and returns why not. */
export interface Operators {
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
}
