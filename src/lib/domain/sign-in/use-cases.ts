import type { RequestSource } from '../client.ts';
import type { UseCaseDeps } from '../deps.ts';
import { parseEmail, type Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import { firstFound, type CodeKey, type PresentedKey, type RestoreToken } from '../secret.ts';
import { secondsAfter, wholeSecondsLeft } from '../time.ts';
import type { User } from '../user.ts';
import { attemptsLeft, challengeState, clientBinding } from './challenge.ts';
import { compareCodeWithinLimit, noMatchingCode, type CheckError } from './compare-code.ts';
import { planSession } from './plan-session.ts';
import type { Challenge, CodeClient, OpenedSession, PendingCode } from './ports.ts';
import { makeRequestCode } from './request-code.ts';
import { makeVerifyCode } from './verify-code.ts';

interface CheckCodeInput extends CodeClient {
	readonly email: string;
	readonly purpose: 'sign_in' | 'email_verification';
	readonly code: string;
}

const findMatchingChallenge = async (
	deps: UseCaseDeps,
	{ email: typed, purpose, code, ...client }: CheckCodeInput
): Promise<Result<Challenge, CheckError>> => {
	const email = parseEmail(typed, deps.domainNames);
	if (!email.ok) return noMatchingCode;
	const boundTo = clientBinding(deps.secretHasher, client);
	const attempt = { purpose, email: email.value, boundTo };
	return compareCodeWithinLimit(deps, client, attempt, code, deps.clock.now());
};

type Blocked = ErrorOf<'account_blocked'>;

const blocked = err<Blocked>({ code: 'account_blocked' });

/** Checks a code without using it. It costs an attempt, as entering the code does. */
const makeCheckCode =
	(deps: UseCaseDeps) =>
	async (input: CheckCodeInput): Promise<Result<null, CheckError | Blocked>> => {
		const matched = await findMatchingChallenge(deps, input);
		if (!matched.ok) return matched;
		return (await deps.challenges.giveBackIfBlocked(matched.value.id)) ? blocked : ok(null);
	};

/** An email address without an account gets the result of a wrong code. */
const makeVerifyEmail =
	(deps: UseCaseDeps) =>
	async (input: Omit<CheckCodeInput, 'purpose'>): Promise<Result<User, CheckError | Blocked>> => {
		const matched = await findMatchingChallenge(deps, { ...input, purpose: 'email_verification' });
		if (!matched.ok) return matched;
		const user = await deps.accounts.consumeChallenge(matched.value.id);
		if (user === 'blocked') return blocked;
		return user === null ? noMatchingCode : ok(user);
	};

/** For a page that is reloaded. Null also when the code expired too long ago. */
const makeReadPendingCode =
	(deps: UseCaseDeps) =>
	async (codeKey: CodeKey | null): Promise<PendingCode | null> => {
		if (codeKey === null) return null;
		const hash = deps.secretHasher.ofCodeKey(codeKey);
		const challenge = await deps.challenges.latestOf(hash, 'sign_in');
		const now = deps.clock.now();
		if (challenge === null) return null;
		// A lifetime after the code expired, the browser may have another user.
		if (secondsAfter(challenge.expiresAt, deps.policy.code.lifetime) <= now) return null;
		const secondsUntil = (instant: Date): number => wholeSecondsLeft(instant, now);
		const left = attemptsLeft(challenge, deps.policy);
		const state = challengeState(challenge, now, deps.policy);
		return {
			email: challenge.email,
			state: state === 'open' && left === 0 ? 'exhausted' : state,
			attemptsLeft: left,
			attemptsAllowed: deps.policy.code.attempts,
			secondsLeft: secondsUntil(challenge.expiresAt),
			expiresAt: challenge.expiresAt,
			sentAt: challenge.createdAt,
			resendIn: secondsUntil(secondsAfter(challenge.createdAt, deps.policy.code.resendAfter)),
			// Where sign-up is closed, an email shows that an account exists, and so does its bounce.
			bounced: deps.signUp === 'open' && challenge.bouncedAt !== null
		};
	};

interface RestoreAccountInput {
	readonly restoreToken: RestoreToken;
	readonly source: RequestSource;
	/** The key of this browser, which becomes a known device. */
	readonly presentedKey?: PresentedKey | null;
}

type RestoreAccountError = ErrorOf<'invalid_restore_grant'> | Blocked;

interface RestoreGrant {
	/** Of the deleted account. */
	readonly email: Email;
	readonly purgeAt: Date;
}

const invalidGrant = err<RestoreAccountError>({ code: 'invalid_restore_grant' });

/** Restores a deleted account and signs in to it. A restore grant works once. */
const makeRestoreAccount =
	(deps: UseCaseDeps) =>
	async ({
		restoreToken,
		source,
		presentedKey = null
	}: RestoreAccountInput): Promise<Result<OpenedSession, RestoreAccountError>> => {
		const now = deps.clock.now();
		const grant = await validGrant(deps, restoreToken, now);
		if (grant === null) return invalidGrant;
		const { email } = grant;
		const about = { email, source, presentedKey, becomesKnown: true, fairnessKey: grant.userId };
		const { token, deviceKey, ...opening } = planSession(deps, about, now);
		const redeemed = await deps.signIns.redeem({
			...opening,
			challengeId: grant.id,
			account: null,
			replaces: [],
			ifDeleted: { then: 'restore' }
		});
		if (redeemed?.kind === 'blocked') return blocked;
		if (redeemed?.kind !== 'signed_in') return invalidGrant;
		if (redeemed.isReported) deps.outbox.wake();
		const { user } = redeemed;
		return ok({ token, user, session: redeemed.session, deviceKey });
	};

/** Reads a restore grant without using it. Null when the grant is not valid, or no longer. */
const makeReadRestoreGrant =
	(deps: UseCaseDeps) =>
	async (restoreToken: RestoreToken): Promise<RestoreGrant | null> => {
		const grant = await validGrant(deps, restoreToken, deps.clock.now());
		if (grant === null) return null;
		const purgeAt = secondsAfter(grant.deletedAt, deps.policy.deletion.grace);
		return { email: grant.email, purgeAt };
	};

const validGrant = async (deps: UseCaseDeps, restoreToken: RestoreToken, now: Date) => {
	const challenge = await firstFound(deps.secretHasher.ofRestoreToken(restoreToken), (hash) =>
		deps.challenges.latestOf(hash, 'account_restore')
	);
	if (challenge === null || challenge.expiresAt <= now) return null;
	const found = await deps.accounts.find(challenge.email);
	return found?.deletedAt
		? { email: challenge.email, id: challenge.id, userId: found.id, deletedAt: found.deletedAt }
		: null;
};

export const signIn = {
	requestCode: makeRequestCode,
	readPendingCode: makeReadPendingCode,
	checkCode: makeCheckCode,
	verifyCode: makeVerifyCode,
	verifyEmail: makeVerifyEmail,
	readRestoreGrant: makeReadRestoreGrant,
	restoreAccount: makeRestoreAccount
};
