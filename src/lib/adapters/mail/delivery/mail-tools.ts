import type { Delivery, Mail } from '#lib/domain/index.ts';
import type { MailEvent } from '../smtp-mailer.ts';
import type { Timing } from './usual-duration.ts';

export interface MailTools {
	readonly log: (
		name: 'mail_failed' | 'mail_busy',
		fields: Readonly<Record<string, string | number>>
	) => void;
	/** The network of a client address. Emails that one network requested share a queue. */
	readonly networkOf: (address: string) => string;
	readonly timing: Timing;
	/** Called after each attempt to send an email, with the result. */
	readonly watch?: (mail: Mail, delivery: Delivery) => void;
}

/**
 * The queue of an email: that of the network that requested it. A welcome email has no device, so
 * its recipient is the key. It follows a code, which had to wait in the queue of its network.
 */
export const queueKeyOf =
	({ networkOf }: MailTools) =>
	(mail: Mail): string =>
		'device' in mail ? networkOf(mail.device.ipAddress) : mail.to;

export const logTo =
	({ log }: MailTools) =>
	(event: MailEvent): void =>
		log(event.delivery === 'busy' ? 'mail_busy' : 'mail_failed', { ...event });
