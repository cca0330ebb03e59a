import type { Mail, Mailer } from '../ports/mailer.ts';

/** Hands over a mail after the answer has gone out: trouble is left to the log. */
export const deliverOrThrow = async (mailer: Mailer, mail: Mail): Promise<void> => {
	const delivery = await mailer.send(mail);
	if (delivery !== 'sent') throw new Error(`delivery ${delivery}`);
};
