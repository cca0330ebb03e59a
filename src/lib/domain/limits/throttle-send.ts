import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Clock } from '../clock.ts';
import { nextHour } from './budget.ts';
import type { Network, Sender } from './sender.ts';
import type { Refusal, Send, Throttle } from './throttle.ts';
import { err, ok, type Result } from '../result.ts';
import { wholeSecondsUntil } from '../time.ts';

/** A send that was counted. */
export interface CountedSend {
	/** The account that it was counted for, if its known device requested it. Otherwise null. */
	readonly knownAs: UserId | null;
	readonly network: Network;
	readonly requestedAt: Date;
}

export interface AllowedSend extends CountedSend {
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

/** What is to be sent, and who requests it. */
export interface SendRequest {
	readonly email: Email;
	/**
	 * The account with this address, if the caller is a known device of it. Null for an unknown
	 * client. A session proves nothing about a new address, so its sends there count for the mailbox.
	 */
	readonly knownAs: UserId | null;
	/** Whether the code is bound to more than the address, so that nobody else can try it. */
	readonly isBound: boolean;
	readonly sender: Sender;
}

export type SendError = ErrorOf<'too_many_sends' | 'challenge_required' | 'over_budget'>;

/**
 * Counts a send for the account of a known device, otherwise for the mailbox of the email address.
 * Refuses it when that window is full, when the emails of the hour are used up, and when an unknown
 * client has to prove work first. Runs before any other work for that address.
 */
export const throttleSend = async (
	{ throttle, clock, policy }: ThrottleSendDeps,
	{ email, knownAs, isBound, sender: { network, sendProof } }: SendRequest
): Promise<Result<AllowedSend, SendError>> => {
	const requestedAt = clock.now();
	const send = { email, now: requestedAt, knownAs, network, proof: sendProof };
	const hit = await throttle.hit(send, policy);
	if (hit.kind !== 'allowed') return err(sendError(hit, send));
	const { code, guessing } = policy;
	// A code that is bound to nothing can be tried by unknown clients, so it never keeps them all.
	const keepsAttempts = knownAs !== null && isBound;
	const isStrict = !keepsAttempts && hit.failures >= guessing.strictAfter;
	const attemptsUsed = isStrict ? Math.max(0, code.attempts - guessing.strictAttempts) : 0;
	return ok({ knownAs, network, requestedAt, attemptsUsed });
};

const sendError = (refusal: Refusal, { now, knownAs }: Send): SendError => {
	if (refusal.kind === 'proof_required') {
		const { level, ticketAllowed } = refusal;
		const ticketAfter = ticketAllowed ? 0 : wholeSecondsUntil(nextHour(now), now);
		return { code: 'challenge_required', level, ticketAfter };
	}
	const retryAfter = wholeSecondsUntil(refusal.retryAt, now);
	return refusal.kind === 'full'
		? { code: 'too_many_sends', retryAfter, level: refusal.level }
		: { code: 'over_budget', retryAfter, isKnown: knownAs !== null };
};
