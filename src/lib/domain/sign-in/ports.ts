import type { NewAccount } from '../account/ports.ts';
import type { Network } from '../client.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UndoId, UserId } from '../ids.ts';
import type { OutboxRow } from '../outbox.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Code, CodeKey, DeviceKey, SecretHash, SessionToken } from '../secret.ts';
import type { ClientEvidence, DevicePlacement, NewSession, SignedIn } from '../sessions/ports.ts';

/** What a code or a link is valid for. A code for one purpose is worthless for another. */
export type Purpose =
	| 'sign_in'
	/** A code that proves again that the owner of an account receives email at its address. */
	| 'email_verification'
	/** A code that moves an account to another email address. */
	| 'email_change'
	/** A code that moves an account, requested and entered by an operator. */
	| 'operator_email_change'
	/** A link that moves an account to another email address. */
	| 'email_change_link'
	/** A code to the current email address. A session that is not fresh needs it for a change. */
	| 'reauthentication'
	/** The restore grant of a deleted account, earned by the right code. */
	| 'account_restore';

/** Purposes that can give access to the account of an email address. */
export const ACCESS_PURPOSES = [
	'sign_in',
	'email_verification',
	'account_restore'
] as const satisfies readonly Purpose[];

/** Purposes that can move an account to another email address. */
export const EMAIL_CHANGE_PURPOSES = [
	'email_change',
	'email_change_link'
] as const satisfies readonly Purpose[];

/**
 * What a challenge is bound to: the hash of a code key, program key or restore token, or the account
 * or session that requested it. A challenge without a binding can be used by anyone who knows the
 * email address.
 */
export type Binding = SecretHash | UserId | SessionId;

/** A one-time code or link that was sent and not used yet. Only a hash of the secret is stored. */
export interface Challenge<Requester = SessionId | null> {
	readonly id: ChallengeId;
	readonly purpose: Purpose;
	readonly email: Email;
	readonly boundTo: Binding | null;
	/** The challenge ends with this session. Null when the request needs no session. */
	readonly requestedBy: Requester;
	/** Of a code, or of the token of a link. Empty when there is neither. */
	readonly secretHash: string;
	/** Attempts counted so far. A challenge issued under attack starts above zero. */
	readonly attemptsUsed: number;
	readonly expiresAt: Date;
	/** When it was requested. It decides which of two challenges is newer. */
	readonly createdAt: Date;
	/** When the mail server of the recipient refused its email. Null for all that may have arrived. */
	readonly bouncedAt: Date | null;
}

export type SessionChallenge = Challenge<SessionId>;

export type SessionlessChallenge = Challenge<null>;

export type ChallengeState = 'open' | 'expired' | 'exhausted';

/** The latest code of a browser. It has durations, because the visitor's clock may be wrong. */
export interface PendingCode {
	readonly email: Email;
	readonly state: ChallengeState;
	readonly attemptsLeft: number;
	/** The attempts of a normal code, so that a page can warn when fewer are left. */
	readonly attemptsAllowed: number;
	/** Whole seconds until it expires. */
	readonly secondsLeft: number;
	readonly expiresAt: Date;
	readonly sentAt: Date;
	/** Whole seconds until the same browser can get another code. */
	readonly resendIn: number;
	/** The recipient's mail server refused the email. Never true where sign-up is closed. */
	readonly bounced: boolean;
}

export interface CodeClient extends ClientEvidence {
	/** The key of a browser. Null for other clients. */
	readonly codeKey: CodeKey | null;
	readonly network: Network;
}

/** One attempt at the code of an email address, by a browser or account, or without a binding. */
export interface CodeAttempt {
	readonly purpose: Purpose;
	readonly email: Email;
	readonly boundTo: Binding | null;
}

/** One-time codes that were not used yet. */
export interface Challenges {
	/**
	 * Stores a challenge. It replaces the whole challenge of the same purpose, email address and
	 * binding. A concurrent attempt at the earlier one can neither restore it nor count against the
	 * new one. Challenges of other browsers stay unchanged.
	 *
	 * A stored challenge that was requested later stays. So when two emails overtake each other,
	 * the later request counts. This does not hold for a stored challenge requested after `now`,
	 * which appears when a clock is set back.
	 *
	 * The emails go to the outbox together with the challenge, and only if it is stored.
	 */
	issue(challenge: SessionlessChallenge, now: Date, mails?: readonly OutboxRow[]): Promise<void>;

	/**
	 * Counts one attempt against its challenge before anything is compared. Returns that challenge
	 * with the attempt counted.
	 *
	 * The attempt counts against the live challenge of its binding, otherwise against the live one
	 * that is bound to the email address alone. When neither is live, it counts against the one that
	 * exists, and the bound one comes first. Live means not expired and with attempts left. A
	 * challenge of another binding is never touched.
	 *
	 * Returns null when there is no challenge, and when its attempts are already above
	 * `policy.code.attempts`. Of any number of concurrent attempts, exactly that many get the
	 * challenge while it is open. One more gets it when it is exhausted.
	 */
	countAttempt(attempt: CodeAttempt, now: Date, policy: AuthPolicy): Promise<Challenge | null>;

	/** Marks a bounce. The challenge stays valid. Nothing happens when it is gone or replaced. */
	markBounced(id: ChallengeId, now: Date): Promise<void>;

	/**
	 * Gives the counted attempt of a right code back if the account of its email address is blocked
	 * and not deleted. Returns whether it is.
	 */
	giveBackIfBlocked(id: ChallengeId): Promise<boolean>;

	/** The newest challenge of this binding, in any state, or null. Costs no attempt. */
	latestOf(boundTo: Binding, purpose: Purpose): Promise<Challenge | null>;

	/**
	 * Removes at most `limit` challenges expired at or before `now`, no live one. Returns how many.
	 */
	prune(now: Date, limit: number): Promise<number>;
}

/** What a code is hashed with. The hash matches no other purpose, email address or binding. */
export interface BoundCode extends CodeAttempt {
	/** The email address to be replaced. Absent when none is. */
	readonly from?: Email;
	/** The new email address, when the code is not sent there. Otherwise absent. */
	readonly newEmail?: Email;
	readonly code: Code;
}

/** Keyed, salted, slow hashing of codes. A plain hash of so short a code is easy to reverse. */
export interface CodeHasher {
	/** Two hashes of the same code differ. */
	hash(bound: BoundCode): Promise<string>;
	/**
	 * Whether `hash` was made of exactly these values. A wrong code takes as long as the right one.
	 * Never throws on a malformed or empty hash: that matches nothing.
	 */
	matches(hash: string, bound: BoundCode): Promise<boolean>;
}

export interface Redemption {
	readonly challengeId: ChallengeId;
	readonly email: Email;
	/**
	 * Created when the email address has no account, and linked to its earlier purchases. Concurrent
	 * redemptions create it once. Null where no account may be created.
	 */
	readonly account: NewAccount | null;
	readonly session: NewSession;
	/**
	 * The most sessions of the account, the new one included, also under concurrency. Those with the
	 * earliest last refresh end, with everything that they requested. Their devices stay known.
	 */
	readonly sessionsPerAccount: number;
	/** All hashes of this browser's previous session, which ends when the new one starts. */
	readonly replaces: readonly SecretHash[];
	/**
	 * Makes the client a known device of the account, which the session remembers. Null without a key.
	 * - If the account knows the key, it stays on that device.
	 * - If not, but it replaces a live session of the same account, it stays on the device of that
	 *   session, which gets `keyHash`.
	 * - In a browser, the account's other sessions on the device of the presented key end.
	 */
	readonly device: DevicePlacement | null;
	/**
	 * They report a sign-in to an account that existed before and does not know the device: neither by
	 * the presented key, nor as that of the replaced live session. Empty to report nothing. Of the
	 * sign-ins to one account without a `device`, one is reported in a day (UTC), also under concurrency.
	 */
	readonly newDeviceMails: readonly OutboxRow[];
	/** For a deleted account in its grace period. Comes before a block, restores no blocked one. */
	readonly ifDeleted: IfDeleted;
}

export type IfDeleted =
	/** It stays deleted. The challenge stays, and its counted attempt is given back. */
	| { readonly then: 'refuse' }
	/** It becomes active again and is signed in to. */
	| { readonly then: 'restore' }
	/** It stays deleted. The challenge is consumed, and this restore grant replaces earlier ones. */
	| { readonly then: 'offer'; readonly grant: SessionlessChallenge };

export interface Redeemed extends SignedIn {
	readonly kind: 'signed_in';
	/** True for the one redemption that created the account. */
	readonly created: boolean;
	/** The sessions that this sign-in ended: those of this browser, and any above the limit. */
	readonly ended: readonly SessionId[];
	/** Whether `newDeviceMails` went to the outbox. */
	readonly isReported: boolean;
}

/**
 * When the session would open, the address is reserved for an account that can have it back
 * (`EmailUndos`). The challenge stays, and its counted attempt is given back.
 */
export interface FoundReserved {
	readonly kind: 'reserved';
	readonly undo: UndoId;
	readonly until: Date;
}

/**
 * Null, and nothing happens, when the challenge is gone or belongs to another address: of any number
 * of redemptions of one challenge exactly one succeeds. Also null, with the challenge consumed, when
 * there is no account and none may be created.
 */
export type RedeemResult =
	| Redeemed
	/** No device changes. */
	| { readonly kind: 'deleted'; readonly deletedAt: Date }
	/** The challenge stays, and its counted attempt is given back. */
	| { readonly kind: 'blocked' }
	| FoundReserved
	| null;

export interface OpenedSession extends SignedIn {
	/** The token is never shown again. */
	readonly token: SessionToken;
	/** The key that replaces the one of this browser. Null for a client that gets none. */
	readonly deviceKey: DeviceKey | null;
}

/** Turns a right code into a session. */
export interface SignIns {
	/**
	 * Consumes the challenge, ends the replaced session, opens the new one and clears the wrong codes
	 * of the email address. It also removes the other challenges of the same browser and purpose. All
	 * of this happens or nothing. It does not check the attempts again: the code was accepted before
	 * later wrong ones were counted.
	 */
	redeem(redemption: Redemption): Promise<RedeemResult>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly challenges: Challenges;
		readonly signIns: SignIns;
	}
	interface UseCaseDeps {
		readonly codeHasher: CodeHasher;
		/** When closed, no account is created, and only existing accounts get sign-in codes. */
		readonly signUp: 'open' | 'closed';
	}
}
