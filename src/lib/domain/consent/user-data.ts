import type { ConsentRecordId, Ids, UserId } from '../ids.ts';
import type { ConsentChange, ConsentOccasion } from './consent-record.ts';

/** Stored beside the account. Sign-in never reads it, so an application can remove it. */
export interface UserData {
	readonly userId: UserId;
	readonly marketingOptIn: boolean;
	readonly marketingOptInAt: Date | null;
	/** Payments read this. */
	readonly isTrialEligible: boolean;
}

/** What the data of a new account depends on. */
interface SignedUp {
	readonly userId: UserId;
	readonly profile: {
		/** Where the user agreed to marketing at sign-up. Absent or null means no. */
		readonly marketing?: ConsentOccasion | null;
	};
	readonly now: Date;
}

export const newUserData = ({
	userId,
	profile: { marketing = null },
	now
}: SignedUp): UserData => ({
	userId,
	marketingOptIn: marketing !== null,
	marketingOptInAt: marketing && now,
	isTrialEligible: true
});

/** The record of the consent that was given at sign-up. Null without one. */
export const newConsent = ({
	userId,
	profile: { marketing = null },
	now,
	ids
}: SignedUp & { readonly ids: Ids }): ConsentChange | null =>
	marketing && { id: ids.next() as ConsentRecordId, userId, at: now, occasion: marketing };
