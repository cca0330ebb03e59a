import type { Email } from '../email.ts';
import type { EmailId } from '../ids.ts';
import type { Device } from '../sessions/session.ts';

/**
 * What every email has. The use-case that sends an email declares its kind, and states it as a need:
 * `MailerOf<SignInCodeMail>`.
 */
export interface AnyMail {
	readonly kind: string;
	readonly to: Email;
}

/** Shown in an email, so that its reader can recognise the request. */
export interface RequestDetails {
	/** When the request was made. */
	readonly at: Date;
	/** The device that made the request. */
	readonly device: Device;
}

/**
 * `refused`: the email was certainly not sent and never will be. `unknown`: it may have been sent,
 * because its text may have reached the mail server; where a request waits, it counts as sent.
 * `busy`: it was certainly not sent and never will be, because too many other emails wait for the
 * mail server. `rejected`: refused for good, so that another attempt would end the same. `bounced`:
 * rejected because of the address of its recipient.
 */
export type Delivery = 'sent' | 'refused' | 'unknown' | 'busy' | 'rejected' | 'bounced';

/** Whether another attempt would end the same. */
export const isFinal = (delivery: Delivery): boolean =>
	delivery === 'rejected' || delivery === 'bounced';

/**
 * Sends one email to one address. A failure of the mail server is returned as an outcome, not
 * thrown. Every attempt to send an email of the outbox has the same `id`.
 */
export interface MailerOf<M extends AnyMail> {
	// A property: the type of a method would not be checked for mails that the mailer lacks.
	readonly send: (mail: M, id?: EmailId) => Promise<Delivery>;
}
