import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
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

/** What a user may enter at sign-up. It is used only when the account is created. */
export interface Profile {
	readonly name: Name;
	readonly image: string | null;
	/** Whether the user agreed to marketing at sign-up. Absent means no. */
	readonly marketingOptIn?: boolean;
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
}

export const newAccount = (id: UserId, email: Email, profile: Profile, now: Date): NewAccount => ({
	user: {
		id,
		email,
		emailVerified: true,
		name: profile.name,
		image: profile.image,
		createdAt: now,
		updatedAt: now
	},
	userData: {
		userId: id,
		marketingOptIn: profile.marketingOptIn === true,
		marketingOptInAt: profile.marketingOptIn === true ? now : null,
		isTrialEligible: true
	}
});
