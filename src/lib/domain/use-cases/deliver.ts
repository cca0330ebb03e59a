import type { Delivery, Mail, Mailer } from '../ports/mailer.ts';
import type { Throttle } from '../ports/throttle.ts';

export interface DeliverDeps {
	readonly mailer: Mailer;
	readonly throttle: Throttle;
}

/** Hands over a mail whose send was counted at `askedAt`; one refused for certain is not counted. */
export const deliver = async (deps: DeliverDeps, mail: Mail, askedAt: Date): Promise<Delivery> => {
	const delivery = await deps.mailer.send(mail);
	if (delivery === 'refused') await deps.throttle.giveBack(mail.to, askedAt);
	return delivery;
};

/** The same behind an answer that has gone out already: trouble is left to the log. */
export const deliverOrThrow = async (
	deps: DeliverDeps,
	mail: Mail,
	askedAt: Date
): Promise<void> => {
	const delivery = await deliver(deps, mail, askedAt);
	if (delivery !== 'sent') throw new Error(`delivery ${delivery}`);
};
