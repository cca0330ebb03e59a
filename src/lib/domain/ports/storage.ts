import type { ChangeFeed } from '../sessions/change-feed.ts';
import type { Clock } from './clock.ts';
import type { Stores } from './stores.ts';

/** An open database as a whole. */
export interface OpenDatabase {
	/** What all instances go by, where they may run on several machines; else null. */
	readonly clock: Clock | null;
	/** What other processes change, stamped by the clock this process goes by. */
	changes(clock: Clock): ChangeFeed;
	/** Whether it answers at all; throws `StoreUnavailable` when not. */
	ping(): Promise<void>;
	/** Lets go of it; nothing may be asked afterwards. */
	close(): Promise<void>;
}

/** The repositories, and the database they are in. */
export interface Storage extends Stores, OpenDatabase {}
