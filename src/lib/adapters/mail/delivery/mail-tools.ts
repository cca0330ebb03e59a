import { channel, type Channel } from 'node:diagnostics_channel';
import { messageName } from '#lib/domain/delivery/use-cases.ts';
import type { Mail } from '#lib/domain/mail.ts';
import type { Signer } from '#lib/domain/ports.ts';
import type { NameMessage } from '../bounces/message-id.ts';
import type { MailEvent, MailSentEvent } from '../smtp-mailer.ts';
import type { Timing } from './usual-duration.ts';

export interface MailTools {
	readonly log: (
		name: 'mail_sent' | 'mail_failed' | 'mail_busy',
		fields: Readonly<Record<string, string | number>>
	) => void;
	/** The network of a client address. Emails that one network requested share a queue. */
	readonly networkOf: (address: string) => string;
	readonly timing: Timing;
	/** Signs the Message-IDs. */
	readonly messageSigner: Signer;
}

/** Gets `{ mail, delivery }` after each attempt to send an email. The development server listens. */
export const sentEmails: Channel = channel('postern.sent-email');

/**
 * The queue of an email: that of the network that requested it. A welcome email has no device, so
 * its recipient is the key. It follows a code, which had to wait in the queue of its network.
 */
export const queueKeyOf =
	({ networkOf }: MailTools) =>
	(mail: Mail): string =>
		'client' in mail ? networkOf(mail.client.ipAddress) : mail.to;

/** Names the emails so that only we can name them. */
export const nameWith =
	({ messageSigner }: Pick<MailTools, 'messageSigner'>): NameMessage =>
	(id, to) =>
		messageName(messageSigner, id, to);

const NAMES = { sent: 'mail_sent', busy: 'mail_busy' } as const;

export const logTo =
	({ log }: Pick<MailTools, 'log'>) =>
	(event: MailEvent | MailSentEvent): void => {
		const isFailure = event.delivery !== 'sent' && event.delivery !== 'busy';
		log(isFailure ? 'mail_failed' : NAMES[event.delivery], { ...event });
	};
