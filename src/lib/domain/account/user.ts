import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';

export interface User {
	readonly id: UserId;
	readonly email: Email;
	/** Always true: an account exists only after a code sent to its address was entered. */
	readonly emailVerified: boolean;
	readonly name: string;
	readonly image: string | null;
	readonly createdAt: Date;
	readonly updatedAt: Date;
}

/** What a signer-up may say about themselves; it counts only when the account is created. */
export interface Profile {
	readonly name: string;
	readonly image: string | null;
	/** Whether they agreed to marketing in the same breath; absent means no. */
	readonly marketingOptIn?: boolean;
}

/** Beside the account, and removable: nothing in sign-in reads it. */
export interface UserData {
	readonly userId: UserId;
	readonly marketingOptIn: boolean;
	readonly marketingOptInAt: Date | null;
	/** Read by payments. */
	readonly isTrialEligible: boolean;
}

/** Everything that comes into being with an account, written together or not at all. */
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
