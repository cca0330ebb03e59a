import type { Mail } from '../ports/mailer.ts';
import type { Outbox } from '../ports/outbox.ts';

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
