import type { SessionId, UserId } from '../ids.ts';

/** A change in the store that makes reads of the affected data before `at` stale. */
export type StoreChange = (
	| { readonly kind: 'session_ended'; readonly id: SessionId }
	| { readonly kind: 'account_changed'; readonly id: UserId }
) & { readonly at: Date };

/**
 * Reports changes that other processes make on the same database. Until then this process may use
 * what it has read. Changes made by this process may be reported as well.
 */
export interface ChangeFeed {
	/** Calls the listener with every later change, at most a second after it happened. */
	subscribe(listener: (change: StoreChange) => void): void;
	/**
	 * The instant since which no change was missed, apart from those of the last second. Data that
	 * was read after it and was not reported as changed still matches the store. Null while this is
	 * unknown, such as before the first contact with the store and after the connection is lost.
	 *
	 * Setting the clock back makes no stale data valid again: `at` is then the latest time that the
	 * clock has shown.
	 */
	reliableSince(): ReliableSince | null;
}

export interface ReliableSince {
	/** By the clock that stamps reads. */
	readonly at: Date;
	/**
	 * The same instant by the monotonic clock of this process, in milliseconds. Nothing can set
	 * that clock. Anything that this process read at this tick or later was read after the instant.
	 */
	readonly tick: number;
}
