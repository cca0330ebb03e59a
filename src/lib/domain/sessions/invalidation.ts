import type { User } from '../account/user.ts';
import type { SessionId, UserId } from '../ids.ts';

declare const ended: unique symbol;
declare const changed: unique symbol;

/**
 * The id of a session that a store has just ended. Every operation of a store that ends sessions
 * returns their ids as this type, so that `invalidatingStores` cannot overlook it. `Sessions.prune`
 * returns a number instead: it removes only expired sessions, and caches never use those.
 */
export type EndedSession = SessionId & { readonly [ended]: true };

/** The id of an account that a store has just changed. Works like `EndedSession`. */
export type ChangedAccount = UserId & { readonly [changed]: true };

export interface ChangedUser extends User {
	readonly id: ChangedAccount;
}

/** For stores: the sessions of rows that an operation has just deleted. */
export const endedSessions = (
	deleted: readonly { readonly id: SessionId }[]
): readonly EndedSession[] => deleted.map(endedSession);

const endedSession = ({ id }: { readonly id: SessionId }): EndedSession => id as EndedSession;

/** For stores: the accounts of rows that an operation has just changed or deleted. */
export const changedAccounts = (
	rows: readonly { readonly id: UserId }[]
): readonly ChangedAccount[] => rows.map(({ id }) => id as ChangedAccount);

/** For stores: an account as an operation has just left it. */
export const changedUser = (user: User): ChangedUser => user as ChangedUser;

/** What a process has cached about sessions and their accounts. */
export interface SessionCaches {
	/** No cached data of these sessions may be used any more. */
	sessionsEnded(ids: readonly EndedSession[]): void;
	/** No data of these accounts may be used that was read before this call. */
	accountsChanged(ids: readonly ChangedAccount[]): void;
}

/** Whether a result names sessions that ended or accounts that changed. */
export type Invalidates<Result> = Result extends EndedSession | ChangedAccount
	? true
	: Result extends readonly (infer Item)[]
		? Invalidates<Item>
		: Result extends string | number | boolean | Date | null | undefined
			? false
			: { [Key in keyof Result]: Invalidates<Result[Key]> }[keyof Result];
