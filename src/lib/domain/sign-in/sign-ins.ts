import type { OpenRequest } from './challenge.ts';
import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { DeviceChange } from '../devices/device.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UndoId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';
import type { NewSession, SignedIn } from '../sessions/session.ts';
import type { NewAccount } from '../account/new-account.ts';

export interface Redemption {
	/** The challenge whose code was entered correctly. */
	readonly challengeId: ChallengeId;
	/** The address that the code was sent to. */
	readonly email: Email;
	/** Written only when the address has no account. Null where no account may be created. */
	readonly account: NewAccount | null;
	readonly session: NewSession;
	/** The most sessions of the account, the new one included. */
	readonly sessionsPerAccount: number;
	/**
	 * The possible hashes of this browser's previous session, which ends when the new one starts.
	 */
	readonly replaces: readonly SecretHash[];
	/** Makes the client a known device of the account. Null for a client that keeps no key. */
	readonly device: DeviceChange | null;
	/** They report the sign-in to the owner of the account, if it is on a new device. */
	readonly newDeviceEmails: readonly OutboxRow[];
	/** What to do with a deleted account in its grace period. */
	readonly ifDeleted: IfDeleted;
}

export type IfDeleted =
	/** It stays deleted. The challenge stays, and its counted guess is given back. */
	| { readonly then: 'refuse' }
	/** It becomes active again and is signed in to. */
	| { readonly then: 'restore' }
	/** It stays deleted. The challenge is consumed, and this restore grant replaces earlier ones. */
	| { readonly then: 'offer'; readonly grant: OpenRequest };

export interface Redeemed extends SignedIn {
	readonly kind: 'signed_in';
	/** True for the one redemption that created the account. */
	readonly created: boolean;
	/** The sessions that this sign-in ended: the one of this browser, and any above the limit. */
	readonly ended: readonly SessionId[];
	/** Whether this sign-in was reported as one on a new device. */
	readonly isReported: boolean;
}

export interface FoundDeleted {
	readonly kind: 'deleted';
	readonly deletedAt: Date;
}

/** The address lately belonged to an account, which it can have back (`EmailUndos`). */
export interface FoundReserved {
	readonly kind: 'reserved';
	readonly undo: UndoId;
	readonly until: Date;
}

/** Turns a right code into a session. */
export interface SignIns {
	/**
	 * Consumes the challenge, ends the replaced session, opens the new one and clears the wrong
	 * guesses of the address. When the address has no account, it creates one with its data,
	 * the record of its consent and its emails in the outbox, and links its earlier purchases. When a browser requested the challenge, it removes that
	 * browser's other challenges of the same purpose. All of this happens or nothing. For a deleted
	 * account `ifDeleted` decides, equally atomically. A sign-in to an account that stays deleted
	 * changes no device.
	 *
	 * Of the other sessions of the account, as many stay as `sessionsPerAccount` leaves room for, also
	 * under concurrency. Those with the earliest last refresh end, with everything that they requested.
	 * Their devices stay known.
	 *
	 * With a `device`, the client becomes a known device of the account, and the session remembers
	 * it. Everything known under the presented key moves to `keyHash`: the presented key is worthless
	 * afterwards, unless it has that hash. A client whose key the account does not know stays on the
	 * device of the session that it replaces, if this session was live and of the same account. The
	 * device then gets `keyHash`. If the account knows the key, the device of the replaced session
	 * keeps its key. One device is known for at most `limits.accounts` accounts, and one account has at
	 * most `limits.perAccount` devices. Those not used for longest are dropped, also under concurrency.
	 *
	 * An address that is reserved when the session would open gets no account and no session. The
	 * challenge stays, and its counted guess is given back.
	 *
	 * A sign-in to an account that existed before is reported unless the account knows the device: by
	 * the presented key, or as the device of the live session that this sign-in replaces. Then
	 * `newDeviceEmails` go to the outbox with it. Without such emails no sign-in is reported. Of the
	 * sign-ins to one account without a `device`, one is reported in a day (UTC), also under
	 * concurrency.
	 *
	 * Returns null, and nothing happens, when the challenge is gone or belongs to another address:
	 * of any number of redemptions of one challenge exactly one succeeds. Also returns null, with
	 * the challenge consumed, when there is no account and none may be created.
	 *
	 * The attempts of the challenge do not matter here. So a right code that was counted in time
	 * wins over guesses counted after it. Of any number of redemptions for one address, exactly one
	 * creates the account and the others find it.
	 */
	redeem(redemption: Redemption): Promise<Redeemed | FoundDeleted | FoundReserved | null>;
}
