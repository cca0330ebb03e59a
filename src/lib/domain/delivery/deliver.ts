import type { ErrorOf } from '../errors.ts';
import type { EmailId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { AnyMail, MailerOf } from './mailer.ts';
import type { CountedSend } from '../limits/throttle-send.ts';
import type { Throttle } from '../limits/throttle.ts';
import { err, ok, type Result } from '../result.ts';

export interface DeliverNowDeps<M extends AnyMail> {
	readonly mailer: MailerOf<M>;
	readonly throttle: Throttle;
	readonly policy: AuthPolicy;
}

/**
 * Sends an email while the response waits. An email that may have been sent counts as sent, so that
 * its code works when it arrives. When the email was certainly not sent, its send is given back to
 * the throttle.
 */
export const deliverNow = async <M extends AnyMail>(
	{ mailer, throttle, policy }: DeliverNowDeps<M>,
	mail: M,
	id: EmailId,
	counted: CountedSend
): Promise<Result<null, ErrorOf<'delivery_failed' | 'address_refused' | 'mail_busy'>>> => {
	const delivery = await mailer.send(mail, id);
	if (delivery === 'sent' || delivery === 'unknown') return ok(null);
	await giveBack(throttle, mail, counted);
	if (delivery === 'busy')
		return err({ code: 'mail_busy', retryAfter: policy.delivery.retryAfter });
	return err({ code: delivery === 'bounced' ? 'address_refused' : 'delivery_failed' });
};

/** Takes a send back from the counter that counted it. */
export const giveBack = (
	throttle: Throttle,
	{ to }: Pick<AnyMail, 'to'>,
	{ requestedAt, ...counted }: CountedSend
): Promise<void> => throttle.giveBack({ email: to, at: requestedAt, ...counted });
