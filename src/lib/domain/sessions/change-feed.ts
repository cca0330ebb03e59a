import type { SessionId, UserId } from '../ids.ts';

/** Something in the store that makes what was read of it before `at` worthless. */
export type StoreChange = (
	{ readonly kind: 'session_ended'; readonly id: SessionId } | ChangedAccount
) & { readonly at: Date };

interface ChangedAccount {
	readonly kind: 'account_changed';
	readonly id: UserId;
}

/**
 * Tells what other processes on the same database change, so that what this one has read may be
 * believed meanwhile. Changes made through this process may be told as well.
 */
export interface ChangeFeed {
	/** Calls the listener with every change from now on, each a second after it happened at most. */
	subscribe(listener: (change: StoreChange) => void): void;
	/**
	 * The instant since which no change has been missed, those of the last second aside: what was
	 * read after it and was not told to be worthless is as the store has it. Null while that cannot
	 * be said, as before the first contact with the store and after losing it.
	 *
	 * A clock that is set back makes nothing count again: `at` is then the latest time that the clock
	 * has shown before.
	 */
	unbrokenSince(): UnbrokenSince | null;
}

export interface UnbrokenSince {
	/** By the clock that stamps what is read. */
	readonly at: Date;
	/**
	 * The same by the monotonic clock of this process, in milliseconds, which nobody can set: what this
	 * process has read at this tick or later was read after it.
	 */
	readonly tick: number;
}
