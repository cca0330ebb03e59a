import type { Email } from '../email.ts';
import type { DeviceId, UserId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';

/** A browser or program in which an account signed in. */
export interface AccountDevice {
	readonly id: DeviceId;
	readonly isKnown: boolean;
	/** As `lastEmail` gives it. */
	readonly email: Email | null;
	/** Of its last sign-in or refresh. */
	readonly userAgent: string;
	readonly createdAt: Date;
	readonly usedAt: Date;
}

/**
 * The known devices of all accounts: browsers and programs in which an account signed in before.
 * They are found by a keyed hash of their key. `SignIns.redeem` and `Sessions.refresh` add them,
 * and the operations that end sessions make them unknown or remove them.
 */
export interface Devices {
	/**
	 * The account of an email address, when the device with this key is known for it. Otherwise
	 * null. The lookup begins with the key and does the same work whether or not the address has an
	 * account. Writes nothing.
	 */
	knownAccount(keyHash: SecretHash, email: Email): Promise<UserId | null>;

	/**
	 * The email address that last signed in on the device with this key, as it was then. Null after
	 * `forgetEmail`, and once the device was ended or the account deleted. An email change in another
	 * session leaves it, although the device is then no longer known. A change in a session on this
	 * device forgets it.
	 */
	lastEmail(keyHash: SecretHash): Promise<Email | null>;

	/** Forgets that email address. The device stays known. */
	forgetEmail(keyHash: SecretHash): Promise<void>;

	/** The devices of an account, the last used first. */
	listOf(userId: UserId): Promise<readonly AccountDevice[]>;

	/** Removes at most `limit` devices last used at or before `usedBefore`. Returns how many. */
	prune(usedBefore: Date, limit: number): Promise<number>;
}
