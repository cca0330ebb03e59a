import type { Email } from './email.ts';
import type { ChallengeId } from './ids.ts';
import type { AuthPolicy } from './policy.ts';
import type { SecretHash } from './secret.ts';

/** What a code is good for. A code for one purpose is nothing for another. */
export type Purpose = 'sign_in';

/** A one-time code that was sent and waits to be entered. The code itself is kept only as a hash. */
export interface Challenge {
	readonly id: ChallengeId;
	readonly purpose: Purpose;
	readonly email: Email;
	/** The browser that asked, as a hash of its key; null when the code is bound to the address alone. */
	readonly browser: SecretHash | null;
	readonly codeHash: string;
	/** Guesses counted so far. One issued under attack starts above zero. */
	readonly attempts: number;
	readonly expiresAt: Date;
	readonly createdAt: Date;
}

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
