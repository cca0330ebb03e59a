import type { Network } from '../client.ts';
import type { Deps } from '../deps.ts';
import { recognise, type Caller, type RecogniseDeps } from '../devices/recognise.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { SignInCodeMail } from '../mail.ts';
import type { AuthPolicy } from '../policy.ts';
import type { CodeKey, SecretHash, SecretHasher } from '../secret.ts';
import type { ChallengeId, MailId, SessionId } from '../ids.ts';
import { secondsAfter } from '../time.ts';
import { generateCode, parseCode } from './code.ts';
import type { BoundCode, Challenge, CodeAttempt } from './ports.ts';

/** A new challenge, for a send that is already counted. */
export const newChallenge = <Requester extends SessionId | null>(
	challenge: Omit<
		Challenge,
		'requestedBy' | 'attemptsUsed' | 'expiresAt' | 'createdAt' | 'bouncedAt'
	> & {
		readonly requestedBy: Requester;
	},
	{ requestedAt, attemptsUsed }: { readonly requestedAt: Date; readonly attemptsUsed: number },
	expiresAt: Date
): Challenge & { readonly requestedBy: Requester } => ({
	...challenge,
	attemptsUsed,
	expiresAt,
	createdAt: requestedAt,
	bouncedAt: null
});

export type NewCodeDeps = Deps<'codeHasher' | 'codeShape' | 'ids' | 'policy' | 'random'>;

interface NewCode<Requester> {
	/** The email that a request waits for has the id of its challenge, so a bounce finds it. */
	readonly id: MailId;
	readonly mail: Pick<SignInCodeMail, 'to' | 'code' | 'lifetime' | 'at'>;
	/** Its lifetime begins when the email was sent. */
	readonly challengeFrom: (now: Date) => Challenge & { readonly requestedBy: Requester };
}

/** A new code, what its email says, and its challenge. */
export const newCode = async <Requester extends SessionId | null>(
	deps: NewCodeDeps,
	{ requestedBy, ...bound }: Omit<BoundCode, 'code'> & { readonly requestedBy: Requester },
	counted: Parameters<typeof newChallenge>[1]
): Promise<NewCode<Requester>> => {
	const { purpose, email, boundTo } = bound;
	const { lifetime } = deps.policy.code;
	const id = deps.ids.next();
	const code = generateCode(deps.random, deps.codeShape);
	const secretHash = await deps.codeHasher.hash({ ...bound, code });
	const challenge = { id: id as ChallengeId, purpose, email, boundTo, requestedBy, secretHash };
	return {
		id: id as MailId,
		mail: { to: email, code, lifetime, at: counted.requestedAt },
		challengeFrom: (now: Date) => newChallenge(challenge, counted, secondsAfter(now, lifetime))
	};
};

export type ChallengeState = 'open' | 'expired' | 'exhausted';

/**
 * The state of a challenge for an attempt that is already counted in `attemptsUsed`. There is no
 * state for a used challenge, because using it removes it.
 */
export const challengeState = (
	challenge: Challenge,
	now: Date,
	policy: AuthPolicy
): ChallengeState => {
	if (challenge.expiresAt <= now) return 'expired';
	return challenge.attemptsUsed > policy.code.attempts ? 'exhausted' : 'open';
};

/** How many further attempts are compared. */
export const attemptsLeft = (challenge: Challenge, policy: AuthPolicy): number =>
	Math.max(0, policy.code.attempts - challenge.attemptsUsed);

export interface CodeClient extends Caller {
	/** The browser that requested it. Null for other clients. */
	readonly codeKey: CodeKey | null;
	readonly network: Network;
}

/**
 * What a code is bound to, so that only its own client can try it. A program's key comes first. Null
 * when the client has neither key: its code is bound to the address alone.
 */
export const clientBinding = (
	hasher: Pick<SecretHasher, 'ofCodeKey' | 'ofProgramKey'>,
	{ codeKey, presentedKey = null }: Pick<CodeClient, 'codeKey' | 'presentedKey'>
): SecretHash | null => {
	if (presentedKey?.kind === 'program') return hasher.ofProgramKey(presentedKey.key);
	return codeKey && hasher.ofCodeKey(codeKey);
};

type BoundAttempt = CodeAttempt & Pick<BoundCode, 'from' | 'newEmail'>;

export type CodeError = ErrorOf<'invalid_code' | 'expired_code' | 'too_many_attempts'>;

export type CompareCodeDeps = Deps<
	'challenges' | 'codeHasher' | 'throttle' | 'codeCounts' | 'policy' | 'codeShape'
>;

export const noMatchingCode = err<ErrorOf<'invalid_code'>>({
	code: 'invalid_code',
	attemptsLeft: null
});

/**
 * Finds the challenge that a code matches. Each comparison costs an attempt. The attempt is
 * counted before the comparison, so that concurrent attempts are not free. Text that cannot be a
 * code costs no attempt.
 */
export const compareCode = async (
	deps: CompareCodeDeps,
	attempt: BoundAttempt,
	typed: string,
	now: Date
): Promise<Result<Challenge, CodeError>> => {
	const { policy } = deps;
	const code = parseCode(typed, deps.codeShape);
	if (code === null) return noMatchingCode;
	const { from, newEmail } = attempt;
	const refuse = <E extends CodeError>(refused: Result<never, E>): Result<never, E> => {
		deps.codeCounts.note('code_refused', from ?? attempt.email);
		return refused;
	};
	const challenge = await deps.challenges.countAttempt(attempt, now, policy);
	if (challenge === null) return refuse(noMatchingCode);

	const state = challengeState(challenge, now, policy);
	if (state === 'expired') return refuse(err({ code: 'expired_code' }));
	if (state === 'exhausted') return refuse(err({ code: 'too_many_attempts' }));

	const { purpose, email, boundTo } = challenge;
	const bound = {
		purpose,
		email,
		boundTo,
		code,
		...(from && { from }),
		...(newEmail && { newEmail })
	};
	if (await deps.codeHasher.matches(challenge.secretHash, bound)) return ok(challenge);
	await deps.throttle.countWrongCode(email, now);
	return refuse(err({ code: 'invalid_code', attemptsLeft: attemptsLeft(challenge, policy) }));
};

export type LimitWrongCodesDeps = CompareCodeDeps & RecogniseDeps & Deps<'networkWrongCodes'>;

export type CheckError = CodeError | ErrorOf<'too_many_wrong_codes'>;

/**
 * Compares a code, unless too many wrong codes came from the client's network. A known device of the
 * account can always go on. A refused check costs no attempt. The answer does not depend on accounts:
 * each email address gets the same lookup.
 */
export const compareCodeWithinLimit = async (
	deps: LimitWrongCodesDeps,
	{ network, ...caller }: Caller & { readonly network: Network },
	attempt: BoundAttempt,
	typed: string,
	now: Date
): Promise<Result<Challenge, CheckError>> => {
	const retryAfter = deps.networkWrongCodes.begin(network);
	if (retryAfter !== null) {
		const isKnown = (await recognise(deps, caller, attempt.email)) !== null;
		if (!isKnown) return err({ code: 'too_many_wrong_codes', retryAfter });
		return compareCode(deps, attempt, typed, now);
	}
	let wasWrong = false;
	try {
		const compared = await compareCode(deps, attempt, typed, now);
		wasWrong = !compared.ok && isWrongCode(compared.error);
		return compared;
	} finally {
		deps.networkWrongCodes.end(network, wasWrong);
	}
};

/** Whether a code was compared. Other errors mean that there was no live code, or none was typed. */
const isWrongCode = (error: CodeError): boolean =>
	error.code === 'invalid_code' && error.attemptsLeft !== null;
