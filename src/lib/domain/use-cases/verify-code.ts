import { attemptsLeft, challengeState } from '../challenge.ts';
import { parseCode, type CodeShape } from '../code.ts';
import { parseEmail } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { SessionId, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Challenges } from '../ports/challenges.ts';
import type { Clock } from '../ports/clock.ts';
import type { CodeHasher } from '../ports/code-hasher.ts';
import type { DomainNames } from '../ports/domain-names.ts';
import type { Ids } from '../ports/ids.ts';
import type { Random } from '../ports/random.ts';
import type { SecretHasher } from '../ports/secret-hasher.ts';
import type { SignIns } from '../ports/sign-ins.ts';
import type { Throttle } from '../ports/throttle.ts';
import { err, ok, type Result } from '../result.ts';
import { newSessionToken, type BrowserKey, type SecretHash, type SessionToken } from '../secret.ts';
import { newSession, type Device, type SignedIn } from '../session.ts';
import { newAccount, type Profile } from '../user.ts';
import type { UserCreated } from './user-created.ts';

export interface VerifyCodeInput {
	readonly email: string;
	readonly code: string;
	readonly browser: BrowserKey | null;
	/** Counts only when this verification creates the account. */
	readonly profile: Profile;
	readonly device: Device;
	/** The session this browser holds already, if any; the new one takes its place. */
	readonly currentToken: SessionToken | null;
}

export interface VerifiedCode extends SignedIn {
	/** The only time the token is seen. */
	readonly token: SessionToken;
	/** The session whose place it took; null when there was none. */
	readonly replaced: SessionId | null;
}

export type VerifyCodeError = ErrorOf<'invalid_code' | 'expired_code' | 'too_many_attempts'>;

/** Turns the right code into a session, and into an account where the address has none. */
export type VerifyCode = (input: VerifyCodeInput) => Promise<Result<VerifiedCode, VerifyCodeError>>;

export interface VerifyCodeDeps {
	readonly challenges: Challenges;
	readonly signIns: SignIns;
	readonly throttle: Throttle;
	readonly codeHasher: CodeHasher;
	readonly secretHasher: SecretHasher;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
	readonly random: Random;
	readonly ids: Ids;
	readonly userCreated: UserCreated;
	readonly policy: AuthPolicy;
	readonly codeShape: CodeShape;
}

const notACode = err<VerifyCodeError>({ code: 'invalid_code', attemptsLeft: null });

export const makeVerifyCode =
	(deps: VerifyCodeDeps): VerifyCode =>
	async (input) => {
		const { policy } = deps;
		const email = parseEmail(input.email, deps.domainNames);
		const code = parseCode(input.code, deps.codeShape);
		// What cannot be a code costs no attempt.
		if (!email.ok || code === null) return notACode;

		const browser = input.browser && deps.secretHasher.ofBrowserKey(input.browser);
		const now = deps.clock.now();
		const guess = { purpose: 'sign_in', email: email.value, browser } as const;
		// Counted before it is compared, so that guesses sent all at once are not free.
		const challenge = await deps.challenges.countAttempt(guess, now, policy);
		if (challenge === null) return notACode;

		const state = challengeState(challenge, now, policy);
		if (state === 'expired') return err({ code: 'expired_code' });
		if (state === 'exhausted') return err({ code: 'too_many_attempts' });

		if (!(await deps.codeHasher.matches(challenge.codeHash, { ...challenge, code }))) {
			await deps.throttle.countFailure(challenge.email, now);
			return err({ code: 'invalid_code', attemptsLeft: attemptsLeft(challenge, policy) });
		}

		const token = newSessionToken(deps.random);
		const redeemed = await deps.signIns.redeem({
			challengeId: challenge.id,
			account: newAccount(deps.ids.next() as UserId, challenge.email, input.profile, now),
			session: newSession(
				deps.ids.next() as SessionId,
				deps.secretHasher.ofToken(token),
				input.device,
				now,
				policy
			),
			replaces: hashesOf(input.currentToken, deps.secretHasher)
		});
		if (redeemed === null) return notACode;

		if (redeemed.created) deps.userCreated(redeemed.user);
		const { user, session, replaced } = redeemed;
		return ok({ token, user, session, replaced });
	};

const hashesOf = (token: SessionToken | null, hasher: SecretHasher): readonly SecretHash[] =>
	token === null ? [] : [hasher.ofToken(token), ...hasher.earlierOfToken(token)];
