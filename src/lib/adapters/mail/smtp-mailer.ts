import type { ConditionalMailer, Mail } from '#lib/domain/index.ts';
import { fairQueue, type FairQueue } from './delivery/fair-queue.ts';
import { openRehearsal } from './delivery/compose.ts';
import type { Timing } from './delivery/usual-duration.ts';
import type { RenderEmail } from './rendered-email.ts';
import { openSmtpPool, type SmtpSettings } from './smtp-pool.ts';
import type { MailFailure } from './smtp-failure.ts';

/** Details of a failed email for the log. Contains no address and no content. */
export interface MailFailedEvent extends MailFailure {
	readonly mail: Mail['kind'];
}

/** An email that was refused because the queue was full. */
export interface MailBusyEvent {
	readonly mail: Mail['kind'];
	readonly delivery: 'busy';
	/** How many emails are still waiting. */
	readonly waiting: number;
}

export type MailEvent = MailFailedEvent | MailBusyEvent;

export interface SmtpMailer extends ConditionalMailer {
	/** From now on, refuses emails that would wait longer than this many milliseconds. */
	hurry(patience: number): void;
	/** Closes the connections after the current emails are finished. */
	close(): void;
}

export interface SmtpQueueSettings {
	/** How long an email may wait for a connection, in milliseconds. */
	readonly patience: number;
	/** How many emails may wait under one key, and in total. */
	readonly perKey: number;
	readonly total: number;
	/** The key of an email. The keys take turns. */
	readonly keyOf: (mail: Mail) => string;
	readonly timing: Timing;
}

/**
 * Sends emails through an SMTP server, each within the configured deadline. One email at a time per
 * connection; the others wait in a queue here, where they can still be cancelled.
 */
export const smtpMailer = (
	settings: SmtpSettings,
	render: RenderEmail,
	log: (event: MailEvent) => void,
	queueSettings: SmtpQueueSettings
): SmtpMailer => {
	const pool = openSmtpPool(settings);
	const { connections, deadline } = settings;
	const rehearse = openRehearsal(settings);
	const queue: FairQueue = fairQueue({ ...queueSettings, width: connections });
	return {
		send: async (mail, id) => {
			const posted = await queue.run(queueSettings.keyOf(mail), (waited) =>
				// Subtract the time the request has waited, but leave a working server at least 40 % of the
				// deadline. Emails that no request waits for may have waited longer than the deadline.
				pool.post(mail.to, render(mail), {
					id,
					within: Math.max(deadline - waited, 0.4 * deadline)
				})
			);
			if (posted === 'busy') {
				log({ mail: mail.kind, delivery: 'busy', waiting: queue.waiting });
				return 'busy';
			}
			if (posted.delivery !== 'sent') {
				const { delivery, step, code } = posted;
				log({ mail: mail.kind, delivery, step, code });
			}
			return posted.delivery;
		},
		rehearse: async (mail) => {
			await queue.occupy(queueSettings.keyOf(mail), () => rehearse(mail.to, render(mail)));
		},
		hurry: queue.hurry,
		close: pool.close
	};
};
