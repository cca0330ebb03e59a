import type { ChangeFeed } from './sessions/change-feed.ts';
import type { Clock } from './clock.ts';
import type { Stores } from './stores.ts';

/** An open database. */
export interface OpenDatabase {
	/** The clock that all instances share where they may run on several machines. Otherwise null. */
	readonly clock: Clock | null;
	/** The changes that other processes make, stamped by the given clock. */
	changes(clock: Clock): ChangeFeed;
	/** Checks that the database responds. Throws `StoreUnavailable` when it does not. */
	ping(): Promise<void>;
	/** Closes the database. No call is allowed afterwards. */
	close(): Promise<void>;
}

/** The repositories and their database. */
export interface Storage extends Stores, OpenDatabase {}
