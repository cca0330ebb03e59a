import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import type { Throttle } from './throttle.ts';
import { err, ok, type Result } from '../result.ts';
import { wholeSecondsUntil } from '../time.ts';

export interface AllowedSend {
	readonly requestedAt: Date;
	/**
	 * The attempts of a new code that count as used. Above zero after too many wrong guesses in a row
	 * at the codes of its address.
	 */
	readonly attemptsUsed: number;
}

export interface ThrottleSendDeps {
	readonly throttle: Throttle;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

/**
 * Counts a send to the mailbox of an email address, or refuses it when the window is full. Runs
 * before any other work for that address.
 */
export const throttleSend = async (
	{ throttle, clock, policy }: ThrottleSendDeps,
	email: Email
): Promise<Result<AllowedSend, ErrorOf<'too_many_sends'>>> => {
	const requestedAt = clock.now();
	const hit = await throttle.hit(email, requestedAt, policy.throttle.window);
	if (!hit.allowed) {
		return err({ code: 'too_many_sends', retryAfter: wholeSecondsUntil(hit.retryAt, requestedAt) });
	}
	const { code, guessing } = policy;
	const isUnderAttack = hit.failures >= guessing.strictAfter;
	const attemptsUsed = isUnderAttack ? Math.max(0, code.attempts - guessing.strictAttempts) : 0;
	return ok({ requestedAt, attemptsUsed });
};
