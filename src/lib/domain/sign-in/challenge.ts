import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SecretHash } from '../secret.ts';

/** What a code or a link is valid for. A code for one purpose is worthless for another. */
export type Purpose =
	| 'sign_in'
	/** A code that proves again that the owner of an account receives email at its address. */
	| 'email_verification'
	/** A code that moves an account to another email address. */
	| 'email_change'
	/** A link that moves an account to another email address. */
	| 'email_change_link'
	/** A code to the current address. A session that is not fresh needs it to request a change. */
	| 'reauthentication'
	/** The restore grant of a deleted account, earned by the right code. */
	| 'account_restore';

/** Purposes that can give access to the account of an address. */
export const ACCESS_PURPOSES = [
	'sign_in',
	'email_verification',
	'account_restore'
] as const satisfies readonly Purpose[];

/** Purposes that can move an account to another address. */
export const EMAIL_CHANGE_PURPOSES = [
	'email_change',
	'email_change_link'
] as const satisfies readonly Purpose[];

/**
 * What a challenge is bound to: the hash of a browser key, or the account or session that
 * requested it. A challenge without a binding can be used by anyone who knows the address.
 */
export type Binding = SecretHash | UserId | SessionId;

/** A one-time code or link that was sent and not used yet. Only a hash of the secret is stored. */
export interface Challenge {
	readonly id: ChallengeId;
	readonly purpose: Purpose;
	/** Where it was sent. */
	readonly email: Email;
	readonly boundTo: Binding | null;
	/**
	 * The session that requested it. The challenge ends with that session. Null when the request
	 * needs no session.
	 */
	readonly requestedBy: SessionId | null;
	readonly codeHash: string;
	/** Guesses counted so far. A challenge issued under attack starts above zero. */
	readonly attempts: number;
	readonly expiresAt: Date;
	/** When it was requested. */
	readonly createdAt: Date;
	/** When the mail server of the recipient refused its email. Null for all that may have arrived. */
	readonly bouncedAt: Date | null;
}

/** A challenge that a session requested for its account. It ends with this session. */
export type SessionRequest = Challenge & { readonly requestedBy: SessionId };

/** A challenge that can be requested without a session. */
export type OpenRequest = Challenge & { readonly requestedBy: null };

export type ChallengeState = 'open' | 'expired' | 'exhausted';

/**
 * The state of a challenge for a guess that is already counted in `attempts`. There is no state
 * for a used challenge, because using it removes it.
 */
export const challengeState = (
	challenge: Challenge,
	now: Date,
	policy: AuthPolicy
): ChallengeState => {
	if (challenge.expiresAt <= now) return 'expired';
	return challenge.attempts > policy.code.attempts ? 'exhausted' : 'open';
};

/** How many further guesses are compared. */
export const attemptsLeft = (challenge: Challenge, policy: AuthPolicy): number =>
	Math.max(0, policy.code.attempts - challenge.attempts);
