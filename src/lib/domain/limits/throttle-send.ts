import type { UseCaseDeps } from '../deps.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { UserId } from '../ids.ts';
import { retryAfterSeconds } from '../time.ts';
import { hourLimits, nextHour } from './counts.ts';
import type { Mailbox, Refusal, Send } from './ports.ts';

export interface AllowedSend extends Send {
	/** Attempts that a new code starts with as used, after many wrong codes. */
	readonly attemptsUsed: number;
}

interface SendRequest extends Omit<Send, 'requestedAt' | 'chargedKey'> {
	/**
	 * The account with this email address, if the client is a known device of it. A session proves
	 * nothing about a new address, so its sends there count for the mailbox.
	 */
	readonly account: UserId | null;
	/** Whether the code is bound to more than the email address, so that nobody else can try it. */
	readonly isBound: boolean;
}

export type SendError = ErrorOf<'too_many_sends' | 'too_many_network_sends' | 'over_budget'>;

/**
 * Counts a send for the account of a known device, otherwise for the mailbox of the email address.
 * Refuses it when that window is full, and when the emails of the hour are used up. Runs before a
 * code or link is made.
 */
export const throttleSend = async (
	{ throttle, budgetLog, clock, policy }: UseCaseDeps,
	{ account, isBound, ...request }: SendRequest
): Promise<Result<AllowedSend, SendError>> => {
	const requestedAt = clock.now();
	const send = { ...request, requestedAt, chargedKey: account ?? mailboxOf(request.email) };
	const verdict = await throttle.countSend(send, policy);
	const limits = hourLimits(policy.budget);
	if (verdict.kind !== 'allowed') {
		if (verdict.kind === 'over_budget' && limits !== null) {
			budgetLog(send.isKnown ? limits.all : limits.unknown, limits, requestedAt);
		}
		return err(sendError(verdict, send));
	}
	if (limits !== null) budgetLog(verdict.emails, limits, requestedAt);
	const { code, wrongCodes } = policy;
	// Unknown clients can guess at an unbound code, so it gets the strict attempts even for a known
	// device.
	const keepsAttempts = account !== null && isBound;
	const isStrict = !keepsAttempts && verdict.wrongCodes >= wrongCodes.strictAfter;
	const attemptsUsed = isStrict ? Math.max(0, code.attempts - wrongCodes.strictAttempts) : 0;
	return ok({ ...send, attemptsUsed });
};

const sendError = (refusal: Refusal, { requestedAt, isKnown }: Send): SendError => {
	const until = (instant: Date): number => retryAfterSeconds(instant, requestedAt);
	if (refusal.kind === 'full')
		return { code: 'too_many_sends', retryAfter: until(refusal.retryAt), isKnown };
	const code = refusal.kind === 'network_full' ? 'too_many_network_sends' : 'over_budget';
	return { code, retryAfter: until(nextHour(requestedAt)) };
};

/** Google ignores dots in these local parts and delivers both domains to one mailbox. */
const GOOGLE = new Set(['gmail.com', 'googlemail.com']);

/**
 * The email address without its `+tag`. For Google it is also without dots, and with one domain
 * for both of its names. If a provider gives `a+b` and `a` to two people, these two share five
 * sends. This adds no weakness: unknown clients can use up the sends of any email address. A local
 * part that is only a tag stays unchanged.
 */
export const mailboxOf = (email: Email): Mailbox => {
	const at = email.lastIndexOf('@');
	const [local, domain] = [email.slice(0, at), email.slice(at + 1)];
	const tag = local.indexOf('+');
	const name = tag > 0 ? local.slice(0, tag) : local;
	const mailbox = GOOGLE.has(domain)
		? `${name.replaceAll('.', '')}@gmail.com`
		: `${name}@${domain}`;
	return mailbox as Mailbox;
};
