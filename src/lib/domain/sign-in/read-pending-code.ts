import { attemptsLeft, challengeState, type Challenge, type ChallengeState } from './challenge.ts';
import type { Email } from '../email.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Challenges } from './challenges.ts';
import type { Clock } from '../clock.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import type { BrowserKey } from '../secret.ts';
import { secondsAfter } from '../time.ts';

export interface PendingCode {
	readonly email: Email;
	readonly state: ChallengeState;
	readonly attemptsLeft: number;
	/** The attempts of a normal code, so that a page can warn when fewer are left. */
	readonly attempts: number;
	readonly expiresAt: Date;
	/** When the page offers to send another code. */
	readonly resendAt: Date;
	/** The mail server of the address refused the email. Never true where sign-up is closed. */
	readonly bounced: boolean;
}

/**
 * The newest code that a browser requested, so that its page can be reloaded. Null when it
 * requested none, or when the code expired too long ago.
 */
export type ReadPendingCode = (browser: BrowserKey) => Promise<PendingCode | null>;

export interface ReadPendingCodeDeps {
	readonly challenges: Challenges;
	readonly secretHasher: SecretHasher;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
	readonly signUp: 'open' | 'closed';
}

export const makeReadPendingCode =
	(deps: ReadPendingCodeDeps): ReadPendingCode =>
	async (browser) => {
		const hash = deps.secretHasher.ofBrowserKey(browser);
		const challenge = await deps.challenges.latestOf(hash, 'sign_in');
		const now = deps.clock.now();
		if (challenge === null || isLongExpired(challenge, now, deps.policy)) return null;
		const left = attemptsLeft(challenge, deps.policy);
		const state = challengeState(challenge, now, deps.policy);
		return {
			email: challenge.email,
			state: state === 'open' && left === 0 ? 'exhausted' : state,
			attemptsLeft: left,
			attempts: deps.policy.code.attempts,
			expiresAt: challenge.expiresAt,
			resendAt: secondsAfter(challenge.createdAt, deps.policy.code.resendAfter),
			// Where sign-up is closed, an email shows that an account exists, and so does its bounce.
			bounced: deps.signUp === 'open' && challenge.bouncedAt !== null
		};
	};

/**
 * Twice the lifetime after the request, the browser may have another user. The address is no
 * longer shown.
 */
const isLongExpired = ({ expiresAt }: Challenge, now: Date, { code }: AuthPolicy): boolean =>
	secondsAfter(expiresAt, code.lifetime) <= now;
