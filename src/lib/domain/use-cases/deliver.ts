import type { ErrorOf } from '../errors.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Mail, Mailer } from '../ports/mailer.ts';
import type { Outbox } from '../ports/outbox.ts';
import type { Throttle } from '../ports/throttle.ts';
import { err, ok, type Result } from '../result.ts';

/** Sends a mail after the response: trouble is left to the log. */
export const deliverOrThrow = async (outbox: Outbox, mail: Mail): Promise<void> => {
	const delivery = await outbox.post(mail);
	if (delivery !== 'sent') throw new Error(`delivery ${delivery}`);
};

/** The same for a mail that follows only if `isDue`, which nobody must learn from the response times. */
export const deliverIf = async (
	outbox: Outbox,
	mail: Mail,
	isDue: () => Promise<boolean>
): Promise<void> => {
	const delivery = await outbox.postIf(mail, isDue);
	if (delivery !== 'sent' && delivery !== 'not_due') throw new Error(`delivery ${delivery}`);
};

export interface DeliverNowDeps {
	readonly mailer: Mailer;
	readonly throttle: Throttle;
	readonly policy: AuthPolicy;
}

/**
 * Hands over an email that the response waits for. An email that may be on its way counts as sent, so
 * that its code works when it arrives. A send whose email is certainly not on its way is given back
 * to the throttle.
 */
export const deliverNow = async (
	{ mailer, throttle, policy }: DeliverNowDeps,
	mail: Mail,
	askedAt: Date
): Promise<Result<null, ErrorOf<'delivery_failed' | 'mail_busy'>>> => {
	const delivery = await mailer.send(mail);
	if (delivery === 'sent' || delivery === 'unknown') return ok(null);
	await throttle.giveBack(mail.to, askedAt);
	return delivery === 'busy'
		? err({ code: 'mail_busy', retryAfter: policy.delivery.retryAfter })
		: err({ code: 'delivery_failed' });
};
