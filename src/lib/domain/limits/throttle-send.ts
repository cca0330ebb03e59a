import { parseEmail, type Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import type { DomainNames } from '../domain-names.ts';
import type { Throttle } from './throttle.ts';
import { err, ok, type Result } from '../result.ts';
import { wholeSecondsUntil } from '../time.ts';

export interface AllowedSend {
	readonly email: Email;
	readonly requestedAt: Date;
	/**
	 * Attempts that a new code starts with. Above zero after too many wrong guesses for its
	 * address.
	 */
	readonly attempts: number;
}

export interface ThrottleSendDeps {
	readonly throttle: Throttle;
	readonly domainNames: DomainNames;
	readonly clock: Clock;
	readonly policy: AuthPolicy;
}

/** Counts a send to the mailbox of an email address before any other work is done for it. */
export const throttleSend = async (
	deps: ThrottleSendDeps,
	typed: string
): Promise<Result<AllowedSend, ErrorOf<'invalid_email' | 'too_many_sends'>>> => {
	const { policy } = deps;
	const email = parseEmail(typed, deps.domainNames);
	if (!email.ok) return email;
	const requestedAt = deps.clock.now();
	const hit = await deps.throttle.hit(email.value, requestedAt, policy.throttle.window);
	if (!hit.allowed) {
		return err({ code: 'too_many_sends', retryAfter: wholeSecondsUntil(hit.retryAt, requestedAt) });
	}
	return ok({ email: email.value, requestedAt, attempts: attemptsAtIssue(hit.failures, policy) });
};

/** After too many wrong guesses in a row, the codes of an address get fewer attempts. */
const attemptsAtIssue = (failures: number, { code, guessing }: AuthPolicy): number =>
	failures < guessing.strictAfter ? 0 : Math.max(0, code.attempts - guessing.strictAttempts);
