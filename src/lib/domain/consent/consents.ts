import type { UserId } from '../ids.ts';

/**
 * The consents that users gave. Sign-in does not depend on this port, so an application can
 * remove it.
 */
export interface Consents {
	/**
	 * Records that an active account agreed to marketing at `now`, also when it has no data yet. An
	 * earlier consent keeps its time. Returns false when there is no such account.
	 */
	grantMarketing(userId: UserId, now: Date): Promise<boolean>;
}
