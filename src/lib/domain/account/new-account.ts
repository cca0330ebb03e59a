import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { Ids, UserId } from '../ids.ts';
import type { ConsentChange } from '../consent/consent-record.ts';
import { newConsent, newUserData, type UserData } from '../consent/user-data.ts';
import type { Profile, User } from './user.ts';

/** Everything that is created with an account. It is written together or not at all. */
export interface NewAccount {
	readonly user: User;
	readonly userData: UserData;
	/** The record of the consent that was given at sign-up. Null without one. */
	readonly consent: ConsentChange | null;
	/** The emails about the new account. */
	readonly emails: readonly OutboxRow[];
}

export const newAccount = (
	ids: Ids,
	email: Email,
	profile: Profile,
	now: Date,
	emails: readonly OutboxRow[] = []
): NewAccount => {
	const userId = ids.next() as UserId;
	const { name, image } = profile;
	return {
		user: { id: userId, email, emailVerified: true, name, image, createdAt: now, updatedAt: now },
		userData: newUserData({ userId, profile, now }),
		consent: newConsent({ userId, profile, now, ids }),
		emails
	};
};
