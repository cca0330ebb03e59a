import type { Email } from '../email.ts';
import type { ConsentRecordId, Ids, UserId } from '../ids.ts';
import type { OutboxRow } from '../outbox.ts';
import type { NewAccount, Profile } from './ports.ts';

/** With a record of the consent that was given at sign-up, if one was. */
export const newAccount = (
	ids: Ids,
	email: Email,
	{ name, image, marketing = null }: Profile,
	now: Date,
	mails: readonly OutboxRow[] = []
): NewAccount => {
	const userId = ids.next() as UserId;
	return {
		user: { id: userId, email, emailVerified: true, name, image, createdAt: now, updatedAt: now },
		userData: {
			userId,
			marketingOptIn: marketing !== null,
			marketingOptInAt: marketing && now,
			isTrialEligible: true
		},
		consent: marketing && {
			id: ids.next() as ConsentRecordId,
			userId,
			at: now,
			occasion: marketing
		},
		mails
	};
};
