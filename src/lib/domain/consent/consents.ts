import type { UserId } from '../ids.ts';

/** What people agreed to. Optional and removable: nothing in sign-in depends on it. */
export interface Consents {
	/**
	 * Notes that a living account agreed to marketing at `now`, also where it has no data yet. Who
	 * agreed before keeps the time of the first consent. False when there is no such account.
	 */
	grantMarketing(userId: UserId, now: Date): Promise<boolean>;
}
