import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { Email } from '../email.ts';
import type { Ids, UserId } from '../ids.ts';
import { makeAll, type Made } from '../make-all.ts';
import { newAccountParts } from '../parts.ts';
import type { Profile, User } from './user.ts';

/** Everything that is created with an account. It is written together or not at all. */
export interface NewAccount extends Made<typeof newAccountParts> {
	readonly user: User;
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
		...makeAll(newAccountParts, { userId, profile, now, ids }),
		emails
	};
};
