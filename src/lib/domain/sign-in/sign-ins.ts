import type { OpenRequest } from './challenge.ts';
import type { Email } from '../email.ts';
import type { ChallengeId, SessionId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';
import type { NewSession, SignedIn } from '../sessions/session.ts';
import type { NewAccount } from '../account/user.ts';

export interface Redemption {
	/** The challenge whose code was entered rightly. */
	readonly challengeId: ChallengeId;
	/** The address it was sent to. */
	readonly email: Email;
	/** Written only when the address has no account; null where none may be created. */
	readonly account: NewAccount | null;
	readonly session: NewSession;
	/** The hashes the session this browser had before may be kept under; it ends with the new one's beginning. */
	readonly replaces: readonly SecretHash[];
	/** What becomes of an account that is in its grace period after a deletion. */
	readonly ifDeleted: IfDeleted;
}

export type IfDeleted =
	/** It stays deleted; the challenge stays, and the guess that was counted for it is given back. */
	| { readonly then: 'refuse' }
	/** It lives again, and is signed in to. */
	| { readonly then: 'restore' }
	/** It stays deleted; the challenge is consumed and this one, a leave to restore, takes the place of earlier ones. */
	| { readonly then: 'offer'; readonly leave: OpenRequest };

export interface Redeemed extends SignedIn {
	readonly kind: 'signed_in';
	/** True for the one redemption that created the account. */
	readonly created: boolean;
	/** The session that ended with it; null when there was none. */
	readonly replaced: SessionId | null;
}

export interface FoundDeleted {
	readonly kind: 'deleted';
	readonly deletedAt: Date;
}

/** The moment a right code becomes a session. */
export interface SignIns {
	/**
	 * Consumes the challenge, creates the account with its data and its earlier purchases where the
	 * address has none, ends the replaced session, opens the new one, forgets the address's wrong
	 * guesses and, where the challenge was a browser's, that browser's other challenges of the same
	 * purpose: all of it or nothing. For a deleted account `ifDeleted` decides, as atomically.
	 *
	 * Null, and nothing happens, when the challenge is gone or another address's: of any number of
	 * redemptions of one challenge exactly one succeeds. Its count of attempts does not matter here,
	 * so a right code that was counted in time wins over guesses counted after it. Of any number of
	 * redemptions for one address exactly one creates the account and the others find it. Null,
	 * too, with the challenge consumed, when there is no account and none may be created.
	 */
	redeem(redemption: Redemption): Promise<Redeemed | FoundDeleted | null>;
}
