import type { UseCaseDeps } from '../deps.ts';
import { recognise } from '../sessions/recognise.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import { attemptsLeft, challengeState } from './challenge.ts';
import { parseCode } from './code.ts';
import type { BoundCode, Challenge, CodeClient } from './ports.ts';

type BoundAttempt = Omit<BoundCode, 'code'>;

export type CodeError = ErrorOf<'invalid_code' | 'expired_code' | 'too_many_attempts'>;

export const noMatchingCode = err({ code: 'invalid_code', attemptsLeft: null });

/**
 * Finds the challenge that a code matches. Each comparison costs an attempt. The attempt is
 * counted before the comparison, so that concurrent attempts are not free. Text that cannot be a
 * code costs no attempt.
 */
export const compareCode = async (
	deps: UseCaseDeps,
	attempt: BoundAttempt,
	typed: string,
	now: Date
): Promise<Result<Challenge, CodeError>> => {
	const { policy } = deps;
	const code = parseCode(typed);
	if (code === null) return noMatchingCode;
	const refuse = <E extends CodeError>(refused: Result<never, E>): Result<never, E> => {
		// An email change belongs to the account, which is still at the old address.
		deps.codeCounts.count('code_refused', attempt.from ?? attempt.email);
		return refused;
	};
	const challenge = await deps.challenges.countAttempt(attempt, now, policy);
	if (challenge === null) return refuse(noMatchingCode);

	const state = challengeState(challenge, now, policy);
	if (state === 'expired') return refuse(err({ code: 'expired_code' }));
	if (state === 'exhausted') return refuse(err({ code: 'too_many_attempts' }));

	// The challenge can be bound to the email address alone.
	const bound = { ...attempt, boundTo: challenge.boundTo, code };
	if (await deps.codeHasher.matches(challenge.secretHash, bound)) return ok(challenge);
	await deps.throttle.countWrongCode(challenge.email, now, policy);
	return refuse(err({ code: 'invalid_code', attemptsLeft: attemptsLeft(challenge, policy) }));
};

export type CheckError = CodeError | ErrorOf<'too_many_wrong_codes'>;

/**
 * Compares a code, unless too many wrong codes came from the client's network. A known device of the
 * account can always go on. A refused check costs no attempt. The answer does not depend on accounts:
 * each email address gets the same lookup.
 */
export const compareCodeWithinLimit = async (
	deps: UseCaseDeps,
	{ network, ...evidence }: Omit<CodeClient, 'codeKey'>,
	attempt: BoundAttempt,
	typed: string,
	now: Date
): Promise<Result<Challenge, CheckError>> => {
	const retryAfter = deps.networkWrongCodes.countCheck(network);
	if (retryAfter !== null) {
		const isKnown = (await recognise(deps, evidence, attempt.email)) !== null;
		if (!isKnown) return err({ code: 'too_many_wrong_codes', retryAfter });
		return compareCode(deps, attempt, typed, now);
	}
	let wasWrong = false;
	try {
		const compared = await compareCode(deps, attempt, typed, now);
		wasWrong = !compared.ok && isWrongCode(compared.error);
		return compared;
	} finally {
		deps.networkWrongCodes.endCheck(network, wasWrong);
	}
};

/** Only a code that was compared leaves a number of attempts. Without a live code, it is null. */
const isWrongCode = (error: CodeError): boolean =>
	error.code === 'invalid_code' && error.attemptsLeft !== null;
