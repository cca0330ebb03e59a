import type { ChallengeId, SessionId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';
import type { NewSession, SignedIn } from '../session.ts';
import type { NewAccount } from '../user.ts';

export interface Redemption {
	/** The challenge whose code was entered rightly. */
	readonly challengeId: ChallengeId;
	/** Written only when the address has no account. */
	readonly account: NewAccount;
	readonly session: NewSession;
	/** The hashes the session this browser had before may be kept under; it ends with the new one's beginning. */
	readonly replaces: readonly SecretHash[];
}

export interface Redeemed extends SignedIn {
	/** True for the one redemption that created the account. */
	readonly created: boolean;
	/** The session that ended with it; null when there was none. */
	readonly replaced: SessionId | null;
}

/** The moment a right code becomes a session. */
export interface SignIns {
	/**
	 * Consumes the challenge, creates the account with its data where the address has none, ends
	 * the replaced session, opens the new one, forgets the address's wrong guesses and, where the
	 * challenge was a browser's, that browser's other challenges: all of it or nothing.
	 *
	 * Null when the challenge is gone: of any number of redemptions of one challenge exactly one
	 * succeeds. Its count of attempts does not matter here, so a right code that was counted in
	 * time wins over guesses counted after it. Of any number of redemptions for one address
	 * exactly one creates the account and the others find it.
	 */
	redeem(redemption: Redemption): Promise<Redeemed | null>;
}
