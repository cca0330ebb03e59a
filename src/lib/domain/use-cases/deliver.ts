import type { ErrorOf } from '../errors.ts';
import type { Mail, Mailer } from '../ports/mailer.ts';
import type { Throttle } from '../ports/throttle.ts';
import { err, ok, type Result } from '../result.ts';

/** Hands over a mail after the answer has gone out: trouble is left to the log. */
export const deliverOrThrow = async (mailer: Mailer, mail: Mail): Promise<void> => {
	const delivery = await mailer.send(mail);
	if (delivery !== 'sent') throw new Error(`delivery ${delivery}`);
};

/** Hands over a mail that the answer waits for. A send that was refused for certain is given back. */
export const deliverNow = async (
	{ mailer, throttle }: { readonly mailer: Mailer; readonly throttle: Throttle },
	mail: Mail,
	askedAt: Date
): Promise<Result<null, ErrorOf<'delivery_failed'>>> => {
	const delivery = await mailer.send(mail);
	if (delivery === 'refused') await throttle.giveBack(mail.to, askedAt);
	return delivery === 'sent' ? ok(null) : err({ code: 'delivery_failed' });
};
