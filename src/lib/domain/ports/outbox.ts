import type { Delivery, Mail } from './mailer.ts';

/** Sends the emails that no request waits for: they follow the response. Trouble is an outcome, as with a mailer. */
export interface Outbox {
	/** Sends an email that follows for everybody. */
	post(mail: Mail): Promise<Delivery>;

	/**
	 * Sends an email that follows for some only, such as those who have an account. `isDue` decides,
	 * and is asked when it is the turn of the email. Whether it was due shows in nothing but the email
	 * itself: it has its turn at the same moment, takes as long until the next one has its turn, keeps
	 * the later emails of `postIf` waiting for as long as usual, and takes no connection from a mailer
	 * or from `post`. Nothing is sent when `isDue` fails, which is the
	 * caller's failure.
	 */
	postIf(mail: Mail, isDue: () => Promise<boolean>): Promise<Delivery | 'not_due'>;
}
