import type { Email } from '../email.ts';
import type { ConsentOccasion } from '../consent/consent-record.ts';
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
