import type { Email } from '../email.ts';
import type { ChallengeId, SessionId, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { SecretHash } from '../secret.ts';

/** What a code or a link is good for. One for one purpose is nothing for another. */
export type Purpose =
	| 'sign_in'
	/** A code that proves, once more, that an address reaches the owner of its account. */
	| 'email_verification'
	/** A code that moves an account to another address. */
	| 'email_change'
	/** A link that does the same. */
	| 'email_change_link'
	/** A code to the current address, needed before a session that is not fresh may request a change. */
	| 'reauthentication'
	/** The leave to restore a deleted account, earned by the right code. */
	| 'account_restore';

/** What could bring somebody in to the account of an address. */
export const WAYS_IN = [
	'sign_in',
	'email_verification',
	'account_restore'
] as const satisfies readonly Purpose[];

/** What could move an account to another address. */
export const WAYS_TO_MOVE = [
	'email_change',
	'email_change_link'
] as const satisfies readonly Purpose[];

/**
 * Who alone may use it: the browser that asked, as a hash of its key; the account or the session
 * that asked; or, where it is null, whoever knows the address.
 */
export type Binding = SecretHash | UserId | SessionId;

/** A one-time code or link that was sent and waits to be used. The secret itself is kept only as a hash. */
export interface Challenge {
	readonly id: ChallengeId;
	readonly purpose: Purpose;
	/** Where it was sent. */
	readonly email: Email;
	readonly boundTo: Binding | null;
	/** The session that requested it, which it ends with; null where no session is needed to ask. */
	readonly requestedBy: SessionId | null;
	readonly codeHash: string;
	/** Guesses counted so far. One issued under attack starts above zero. */
	readonly attempts: number;
	readonly expiresAt: Date;
	/** When it was asked for. */
	readonly createdAt: Date;
}

/** A challenge that a session requested for its account, and that ends with this session. */
export type SessionRequest = Challenge & { readonly requestedBy: SessionId };

/** A challenge that anybody may ask for. */
export type OpenRequest = Challenge & { readonly requestedBy: null };

export type ChallengeState = 'open' | 'expired' | 'exhausted';

/**
 * Where a challenge stands for a guess that has already been counted in `attempts`. A used one is
 * not a state: using it removes it.
 */
export const challengeState = (
	challenge: Challenge,
	now: Date,
	policy: AuthPolicy
): ChallengeState => {
	if (challenge.expiresAt <= now) return 'expired';
	return challenge.attempts > policy.code.attempts ? 'exhausted' : 'open';
};

/** Guesses that are still compared after the ones counted so far. */
export const attemptsLeft = (challenge: Challenge, policy: AuthPolicy): number =>
	Math.max(0, policy.code.attempts - challenge.attempts);
