import type { Email } from '../email.ts';
import type { ConsentChange, ConsentOccasion } from '../consent/consent-record.ts';
import type { ConsentRecordId, UserId } from '../ids.ts';
import type { Name } from './name.ts';

export interface User {
	readonly id: UserId;
	readonly email: Email;
	/**
	 * Always true: an account is created only after a code sent to its email address was entered.
	 */
	readonly emailVerified: boolean;
	readonly name: string;
	readonly image: string | null;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/**
 * Whether a page may ask for the name of an account. An account that was never changed since its
 * creation has no answer yet. Storing an empty name is an answer too: it changes `updatedAt`.
 */
export const mayAskForName = ({ name, createdAt, updatedAt }: User): boolean =>
	name === '' && updatedAt.getTime() === createdAt.getTime();

/** What a user may enter at sign-up. It is used only when the account is created. */
export interface Profile {
	readonly name: Name;
	readonly image: string | null;
	/** Where the user agreed to marketing at sign-up. Absent or null means no. */
	readonly marketing?: ConsentOccasion | null;
}

/** Stored beside the account. Sign-in never reads it, so an application can remove it. */
export interface UserData {
	readonly userId: UserId;
	readonly marketingOptIn: boolean;
	readonly marketingOptInAt: Date | null;
	/** Payments read this. */
	readonly isTrialEligible: boolean;
}

/** Everything that is created with an account. It is written together or not at all. */
export interface NewAccount {
	readonly user: User;
	readonly userData: UserData;
	/** The record of the consent that was given at sign-up. Null without one. */
	readonly consent: ConsentChange | null;
}

export interface NewAccountIds {
	readonly user: UserId;
	/** Used only with a consent. */
	readonly consent: ConsentRecordId;
}

export const newAccount = (
	{ user: id, consent }: NewAccountIds,
	email: Email,
	{ name, image, marketing = null }: Profile,
	now: Date
): NewAccount => ({
	user: {
		id,
		email,
		emailVerified: true,
		name,
		image,
		createdAt: now,
		updatedAt: now
	},
	userData: {
		userId: id,
		marketingOptIn: marketing !== null,
		marketingOptInAt: marketing && now,
		isTrialEligible: true
	},
	consent: marketing && { id: consent, userId: id, at: now, occasion: marketing }
});
