import type { Email } from '../email.ts';
import type { ConsentRecordId, UserId } from '../ids.ts';
import type { Signer } from '../ports.ts';
import type { SecretHash } from '../secret.ts';

/** `complaint`: the person reported an email as spam. */
type ConsentSource = 'page' | 'app' | 'complaint';

/** What a person read when they decided. */
export interface ConsentWording {
	/** Each text has a version of its own. */
	readonly version: string;
	readonly text: string;
}

/** Where a person decided, and what they read there. */
export interface ConsentOccasion {
	readonly source: ConsentSource;
	/** The route of the page or of the call. Null if it is not known. */
	readonly place: string | null;
	/** Null if the app did not say, or if it is not known. */
	readonly wording: ConsentWording | null;
}

export interface ConsentChange {
	readonly id: ConsentRecordId;
	readonly userId: UserId;
	readonly at: Date;
	readonly occasion: ConsentOccasion;
}

/** One decision of a person. It never changes; only the purge of the account blanks two fields. */
export interface ConsentRecord extends ConsentOccasion {
	readonly id: ConsentRecordId;
	/** Null once the account was purged. */
	readonly userId: UserId | null;
	readonly purpose: 'marketing';
	readonly action: 'granted' | 'withdrawn';
	readonly at: Date;
	/** The email address of the account at that time. Null once the account was purged. */
	readonly email: Email | null;
}

/** Stored beside the account. Sign-in never reads it, so an application can remove it. */
export interface UserData {
	readonly userId: UserId;
	readonly marketingOptIn: boolean;
	readonly marketingOptInAt: Date | null;
	/** For the payments of the application. Nothing in Postern depends on it. */
	readonly isTrialEligible: boolean;
}

export interface ConsentChoice {
	/** Where the user agreed to marketing. Absent or null means no. */
	readonly marketing?: ConsentOccasion | null;
}

export type Granted =
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
 * The consents that users gave, and the history of them. No method changes or removes a record;
 * only `Accounts.purge` blanks its account and email address. Sign-in does not depend on this port,
 * so an application can remove it.
 */
export interface Consents {
	/** The data stored beside an account. Null when there is none. */
	of(userId: UserId): Promise<UserData | null>;

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

export interface UnsubscribeLink {
	readonly userId: UserId;
	/** Whether the account agrees to marketing at the moment. */
	readonly isSubscribed: boolean;
}

/** The unsubscribe links that were made. The store has hashes of their tokens only. */
export interface UnsubscribeLinks {
	/** Stores a link. Repeating it changes nothing. Returns false when there is no such account. */
	add(hash: SecretHash, userId: UserId, now: Date): Promise<boolean>;

	/**
	 * Finds a stored link, also when its account is deleted and in its grace period. Null when it was
	 * never stored, or when the account was purged.
	 */
	find(hash: SecretHash): Promise<UnsubscribeLink | null>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly consents: Consents;
		readonly unsubscribeLinks: UnsubscribeLinks;
	}
	interface UseCaseDeps {
		readonly unsubscribeSigner: Signer;
	}
}
