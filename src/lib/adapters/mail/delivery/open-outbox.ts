import type { Delivery, Mail } from '#lib/domain/index.ts';
import type { MailEvent } from '../smtp-mailer.ts';
import { pacedOutbox, type PacedOutbox, type PacedOutboxSettings } from './paced-outbox.ts';
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

/** For conditional emails: the length of a slot in milliseconds, and how many may wait for one. */
const PACE = { slot: 100, perKey: 50, total: 300 };

/**
 * The queue of an email: that of the network that requested it. A welcome email has no device, so
 * its recipient is the key. It follows a code, which had to wait in the queue of its network.
 */
export const queueKeyOf =
	({ networkOf }: MailTools) =>
	(mail: Mail): string =>
		'device' in mail ? networkOf(mail.device.ipAddress) : mail.to;

export const openOutbox = (
	mailers: Pick<PacedOutboxSettings, 'following' | 'conditional'>,
	tools: MailTools
): PacedOutbox =>
	pacedOutbox({
		...PACE,
		...mailers,
		keyOf: queueKeyOf(tools),
		timing: tools.timing,
		onBusy: ({ kind }, waiting) => logTo(tools)({ mail: kind, delivery: 'busy', waiting })
	});

export const logTo =
	({ log }: MailTools) =>
	(event: MailEvent): void =>
		log(event.delivery === 'busy' ? 'mail_busy' : 'mail_failed', { ...event });
