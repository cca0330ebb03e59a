import type { UserId } from '../ids.ts';
import type { ConsentChange, ConsentRecord } from './consent-record.ts';

export type Granted =
	/** The consent was stored and recorded. */
	| { readonly kind: 'granted' }
	/** The account consents already. Nothing changed. */
	| { readonly kind: 'unchanged' }
	/** The limit is used up. `oldest` is the time of the oldest consent that counts. */
	| { readonly kind: 'too_many'; readonly oldest: Date }
	| { readonly kind: 'no_account' };

/** Recorded consents after `since` count. At `grants` of them, no further one is accepted. */
export interface GrantLimit {
	readonly grants: number;
	readonly since: Date;
}

/**
 * The consents that users gave, and the history of them. No operation changes or removes a record;
 * only `Accounts.purge` blanks its account and email address. Sign-in does not depend on this port,
 * so an application can remove it.
 */
export interface Consents {
	/**
	 * Records that an active account agreed to marketing, also when it has no data yet. The consent
	 * and its record, with the email address of that moment, are stored together or not at all. An
	 * earlier consent keeps its time and gets no second record, also when calls race. A record counts
	 * towards the limit also after its consent was withdrawn.
	 */
	grantMarketing(change: ConsentChange, limit: GrantLimit): Promise<Granted>;

	/**
	 * Records that an account withdrew its consent, also during its grace period. The consent and the
	 * record change together or not at all. Without a consent nothing changes and nothing is recorded.
	 * With `givenBy`, a consent that was given later stays. Returns false when there is no such
	 * account.
	 */
	withdrawMarketing(change: ConsentChange, givenBy?: Date): Promise<boolean>;

	/** The latest `limit` records of an account, newest first. */
	historyOf(userId: UserId, limit: number): Promise<readonly ConsentRecord[]>;
}
