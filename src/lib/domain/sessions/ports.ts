import type { RequestSource } from '../client.ts';
import type { Email } from '../email.ts';
import type { DeviceId, SessionId, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Signer } from '../ports.ts';
import type { PresentedKey, SecretHash } from '../secret.ts';
import type { User } from '../user.ts';

export interface Session extends RequestSource {
	readonly id: SessionId;
	readonly userId: UserId;
	readonly expiresAt: Date;
	readonly createdAt: Date;
	/** The last refresh. */
	readonly updatedAt: Date;
}

export interface NewSession extends RequestSource {
	readonly id: SessionId;
	readonly tokenHash: SecretHash;
	readonly expiresAt: Date;
	readonly createdAt: Date;
}

export interface SignedIn {
	readonly user: User;
	readonly session: Session;
}

/** What a request shows of its client. */
export interface ClientEvidence {
	/** The key in its cookie or header. */
	readonly presentedKey?: PresentedKey | null;
	/** The account of its live session, as currently stored. */
	readonly user?: Pick<User, 'id' | 'email'> | null;
}

/** How a client becomes a known device of the account that it signs in to. */
export interface DevicePlacement {
	/** The id of the account's row, unless the account knows this device. The link of a notice has it. */
	readonly id: DeviceId;
	readonly kind: 'browser' | 'program';
	/** Of the client's key from now on. Everything known under the presented key moves to it. */
	readonly keyHash: SecretHash;
	/** All hashes of the presented key, the current one first. Empty without a key. */
	readonly presentedHashes: readonly SecretHash[];
	readonly usedAt: Date;
	/** The user agent of the client now. The owner sees the device by it. */
	readonly userAgent: string;
	/** Above them, those not used for longest are dropped, also under concurrency. */
	readonly limits: AuthPolicy['devices'];
}

interface ListedSession extends Session {
	/** The known device that it was opened on. Null for a client without a key. */
	readonly deviceId: DeviceId | null;
}

/** A device of an account. A client without a key counts as a device for each session. */
export interface ListedDevice {
	/** What a form posts to end this device: its id, or without a key the id of its session. */
	readonly handle: string;
	/** Null for a client without a key. */
	readonly deviceId: DeviceId | null;
	readonly userAgent: string;
	/** The last sign-in on it, or the last refresh of a session on it. */
	readonly usedAt: Date;
	/** The live ones, the last used first. None once it signed out. */
	readonly sessions: readonly ListedSession[];
}

/** The live session and the device that a notice is about. */
export interface DeviceStatus {
	/** Null when the device signed out. */
	readonly session: Session | null;
	/** As last seen. Null when it signed out and the account does not know it any more. */
	readonly device: { readonly userAgent: string; readonly usedAt: Date } | null;
}

/** They are found by a keyed hash of their token. The token itself is never stored. */
export interface Sessions {
	/**
	 * The session of a token with its user. Null when the session expired at or before `now`, or when
	 * its account is deleted. Writes nothing.
	 */
	find(tokenHash: SecretHash, now: Date): Promise<SignedIn | null>;

	/**
	 * Sets the expiry to `expiresAt` and the last refresh to `now`, if the last refresh was at or
	 * before `dueSince` and the session has not expired. Of any number of concurrent calls, exactly
	 * one does this and gets the updated session. The others get null and change nothing. The last use
	 * of the session's device becomes `now`, too.
	 */
	refresh(
		id: SessionId,
		times: { readonly now: Date; readonly dueSince: Date; readonly expiresAt: Date }
	): Promise<Session | null>;

	/**
	 * The sessions of an account that have not expired at `now`, the last used first. Of two used
	 * at the same moment, the newer comes first.
	 */
	listOf(userId: UserId, now: Date): Promise<readonly ListedSession[]>;

	/**
	 * Ends the session of a token at once, with everything that it requested. Returns its id, or
	 * null when there was none. The device that it was opened on stays known.
	 */
	end(tokenHash: SecretHash): Promise<SessionId | null>;

	/**
	 * Ends one session of an account, with everything that it requested, and forgets the device that
	 * it was opened on. The device stays known for other accounts. Returns the session's id. Returns
	 * null, and does nothing, when it is gone or belongs to another account.
	 */
	endOne(userId: UserId, id: SessionId): Promise<SessionId | null>;

	/**
	 * What is left of the sign-in that opened a session on a device. `session` is that session, or when
	 * it has ended or expired, the last used one on the device. `device` is what is known of it from the
	 * session, or else from the account if that still knows it. Writes nothing.
	 */
	onDevice(id: SessionId, device: DeviceId | null, now: Date): Promise<DeviceStatus>;

	/**
	 * Ends a session by its id, and every other session of the same account on a device, also if the
	 * account has dropped the device. Forgets the device, also when its sessions have ended before, and
	 * every other device that one of these sessions was on. All of this happens or nothing. Other
	 * accounts on the same device keep everything. Returns the ended sessions.
	 */
	endOnDevice(id: SessionId | null, device: DeviceId | null): Promise<readonly SessionId[]>;

	/**
	 * Ends all sessions of an account, except `keep` if it is set. Also revokes what could let an
	 * attacker in again: the codes for its email address, everything that any of its sessions
	 * requested, and restore grants. Forgets all devices of the account except that of `keep`. All of
	 * this happens or nothing. Returns the ended sessions.
	 */
	endSessionsExcept(userId: UserId, keep: SessionId | null): Promise<readonly SessionId[]>;

	/**
	 * Removes at most `limit` sessions that expired at or before `now`, with everything that they
	 * requested. Their devices stay known. Returns how many, and no ids: no cache entry of an expired
	 * session is valid.
	 */
	prune(now: Date, limit: number): Promise<number>;
}

/** A browser or program in which an account signed in. */
export interface AccountDevice {
	readonly id: DeviceId;
	/** False once an email change or its undo elsewhere has ended the account's sessions on it. */
	readonly isKnown: boolean;
	/** The address that this device's sign-in pages offer. Null after a sign-out there. */
	readonly email: Email | null;
	readonly createdAt: Date;
	/** The last sign-in on it, or the last refresh of a session on it. */
	readonly usedAt: Date;
	/** At that time. */
	readonly userAgent: string;
}

/** A device as it is stored: one row for each account that signed in on it. */
export interface StoredDevice extends Pick<AccountDevice, 'id' | 'isKnown' | 'usedAt'> {
	readonly userId: UserId;
	readonly keyHash: SecretHash;
}

/**
 * The devices of all accounts, known or not: browsers and programs in which an account signed in.
 * They are found by a keyed hash of their key. `SignIns.redeem`, `Sessions.refresh` and
 * `EmailUndos.undo` add them, and the methods that end sessions make them unknown or remove them.
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

/** A session that ended, or an account that changed. Data that was read before is stale. */
export type Revoked = SessionId | UserId;

/**
 * Reports changes that other processes make on the same database. Until then this process may use
 * what it has read. Changes made by this process may be reported as well.
 */
export interface ChangeFeed {
	/** Calls the listener with every later change, at most a second after it happened. */
	subscribe(listener: (id: Revoked) => void): void;
	/**
	 * The time since which no change was missed, apart from those of the last second, on the
	 * monotonic clock of this process in milliseconds. Data that was read then or later and was not
	 * reported as changed still matches the store. Null while this is unknown, such as before the
	 * first contact with the store and after the connection is lost.
	 */
	reliableSince(): number | null;
}

declare module '../deps.ts' {
	interface Stores {
		readonly devices: Devices;
		readonly sessions: Sessions;
	}
	interface UseCaseDeps {
		readonly newDeviceNotices: boolean;
		readonly newDeviceSigner: Signer;
	}
}

declare module '../stores.ts' {
	interface DatabaseHandle {
		/** The changes that other processes make. */
		changes(): ChangeFeed;
	}
}
