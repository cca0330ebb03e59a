import type { Accounts } from '../account/ports.ts';
import { parseEmail, type Email } from '../email.ts';
import { ok, type Result } from '../errors.ts';
import type { AuthPolicy } from '../policy.ts';
import type { DomainNames } from '../ports.ts';
import type { BrowserKey, SecretHasher } from '../secret.ts';
import { secondsAfter, type Clock } from '../time.ts';
import type { User } from '../user.ts';
import { attemptsLeft, challengeState, type Challenge, type Challenges, type ChallengeState } from './ports.ts';
import { makeRequestCode } from './request-code.ts';
import { makeReadRestoreGrant, makeRestoreAccount } from './restore-account.ts';
import { clientBinding, compareCode, limitWrongCodes, notACode, type CheckError, type CodeClient, type CompareCodeDeps, type LimitWrongCodesDeps } from './steps.ts';
import { makeVerifyCode } from './verify-code.ts';

export interface CheckCodeInput extends CodeClient {
	readonly email: string;
	readonly purpose: 'sign_in' | 'email_verification';
	readonly code: string;
}

/** Checks a code without using it. It costs an attempt like any other guess. */
export type CheckCode = (input: CheckCodeInput) => Promise<Result<null, CheckError>>;

export interface CheckCodeDeps extends CompareCodeDeps, LimitWrongCodesDeps {
	readonly secretHasher: SecretHasher;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
}

export const makeCheckCode =
	(deps: CheckCodeDeps): CheckCode =>
	async ({ email: typed, purpose, code, ...client }) => {
		const email = parseEmail(typed, deps.domainNames);
		if (!email.ok) return notACode;
		const boundTo = clientBinding(deps.secretHasher, client);
		const guess = { purpose, email: email.value, boundTo };
		const compare = () => compareCode(deps, guess, code, deps.clock.now());
		const right = await limitWrongCodes(deps, client, email.value, compare);
		return right.ok ? ok(null) : right;
	};

export interface VerifyEmailInput extends CodeClient {
	readonly email: string;
	readonly code: string;
}

/**
 * Uses a code to prove an address again. An address without an account gets the result of a wrong
 * code.
 */
export type VerifyEmail = (input: VerifyEmailInput) => Promise<Result<User, CheckError>>;

export interface VerifyEmailDeps extends CompareCodeDeps, LimitWrongCodesDeps {
	readonly accounts: Accounts;
	readonly secretHasher: SecretHasher;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
}

export const makeVerifyEmail =
	(deps: VerifyEmailDeps): VerifyEmail =>
	async ({ email: typed, code, ...client }) => {
		const email = parseEmail(typed, deps.domainNames);
		if (!email.ok) return notACode;
		const boundTo = clientBinding(deps.secretHasher, client);
		const guess = { purpose: 'email_verification', email: email.value, boundTo } as const;
		const compare = () => compareCode(deps, guess, code, deps.clock.now());
		const right = await limitWrongCodes(deps, client, email.value, compare);
		if (!right.ok) return right;
		const user = await deps.accounts.confirmEmail(right.value.id);
		return user === null ? notACode : ok(user);
	};

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

export const signIn = {
	requestCode: makeRequestCode,
	readPendingCode: makeReadPendingCode,
	checkCode: makeCheckCode,
	verifyCode: makeVerifyCode,
	verifyEmail: makeVerifyEmail,
	readRestoreGrant: makeReadRestoreGrant,
	restoreAccount: makeRestoreAccount
};
