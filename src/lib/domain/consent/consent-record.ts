import type { UserId, ConsentRecordId } from '../ids.ts';
import type { Email } from '../email.ts';

/** `complaint`: the person reported an email as spam. */
export type ConsentSource = 'page' | 'app' | 'complaint';

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

/** A consent or a withdrawal that is to be recorded. */
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
