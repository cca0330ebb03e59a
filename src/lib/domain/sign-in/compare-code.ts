import { attemptsLeft, challengeState, type Challenge } from './challenge.ts';
import { parseCode, type CodeShape } from './code.ts';
import type { ErrorOf } from '../errors.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Challenges, Guess } from './challenges.ts';
import type { BoundCode, CodeHasher } from './code-hasher.ts';
import type { Throttle } from '../limits/throttle.ts';
import { err, ok, type Result } from '../result.ts';

export type CodeError = ErrorOf<'invalid_code' | 'expired_code' | 'too_many_attempts'>;

export interface CompareCodeDeps {
	readonly challenges: Challenges;
	readonly codeHasher: CodeHasher;
	readonly throttle: Throttle;
	readonly policy: AuthPolicy;
	readonly codeShape: CodeShape;
}

/** The result when no live code was compared. */
export const notACode = err<ErrorOf<'invalid_code'>>({ code: 'invalid_code', attemptsLeft: null });

/**
 * Finds the challenge that a code matches. Each comparison costs an attempt. The attempt is
 * counted before the comparison, so that concurrent guesses are not free. Text that cannot be a
 * code costs no attempt.
 */
export const compareCode = async (
	deps: CompareCodeDeps,
	guess: Guess & Pick<BoundCode, 'from' | 'newEmail'>,
	typed: string,
	now: Date
): Promise<Result<Challenge, CodeError>> => {
	const { policy } = deps;
	const code = parseCode(typed, deps.codeShape);
	if (code === null) return notACode;
	const challenge = await deps.challenges.countAttempt(guess, now, policy);
	if (challenge === null) return notACode;

	const state = challengeState(challenge, now, policy);
	if (state === 'expired') return err({ code: 'expired_code' });
	if (state === 'exhausted') return err({ code: 'too_many_attempts' });

	const { purpose, email, boundTo } = challenge;
	const { from, newEmail } = guess;
	const bound = {
		purpose,
		email,
		boundTo,
		code,
		...(from && { from }),
		...(newEmail && { newEmail })
	};
	if (await deps.codeHasher.matches(challenge.codeHash, bound)) return ok(challenge);
	await deps.throttle.countFailure(email, now);
	return err({ code: 'invalid_code', attemptsLeft: attemptsLeft(challenge, policy) });
};
