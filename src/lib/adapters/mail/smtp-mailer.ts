import type { Mail } from '#lib/domain/index.ts';
import { fairQueue, type FairQueue } from './delivery/fair-queue.ts';
import type { ConditionalMailer } from './delivery/paced-outbox.ts';
import { openRehearsal } from './delivery/compose.ts';
import type { Timing } from './delivery/timing.ts';
import type { RenderLetter } from './letter.ts';
import { openSmtpPool, type SmtpSettings } from './smtp-pool.ts';
import type { MailTrouble } from './smtp-trouble.ts';

/** A mail that failed: enough to count and to mend, nothing to read. */
export interface FailedMail extends MailTrouble {
	readonly mail: Mail['kind'];
}

/** A mail that was refused because too many others waited. */
export interface BusyMail {
	readonly mail: Mail['kind'];
	readonly delivery: 'busy';
	/** How many still wait. */
	readonly waiting: number;
}

export type MailEvent = FailedMail | BusyMail;

export interface SmtpMailer extends ConditionalMailer {
	/** Refuses from now on what would have to wait longer than so many milliseconds. */
	hurry(patience: number): void;
	/** Lets go of the connections; mails under way are finished first. */
	close(): void;
}

export interface SmtpQueueSettings {
	/** How long a mail may wait for a connection, in milliseconds. */
	readonly patience: number;
	/** Mails that wait in one line, and in all lines together. */
	readonly perLine: number;
	readonly total: number;
	/** Which line a mail waits in; lines are served in turn. */
	readonly lineOf: (mail: Mail) => string;
	readonly timing: Timing;
}

/**
 * Sends mails through an SMTP server, each within the deadline of the settings. As many are handed
 * over at once as there are connections; the others wait here, where they can still be cancelled.
 */
export const smtpMailer = (
	settings: SmtpSettings,
	render: RenderLetter,
	log: (event: MailEvent) => void,
	queueSettings: SmtpQueueSettings
): SmtpMailer => {
	const pool = openSmtpPool(settings);
	const { connections, deadline } = settings;
	const rehearse = openRehearsal(settings);
	const queue: FairQueue = fairQueue({ ...queueSettings, width: connections });
	return {
		send: async (mail) => {
			const posted = await queue.run(queueSettings.lineOf(mail), (waited) =>
				// A request has waited already. But a server that works gets the time it needs.
				pool.post(mail.to, render(mail), Math.max(deadline - waited, deadline / 2))
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
			await queue.hold(queueSettings.lineOf(mail), () => rehearse(mail.to, render(mail)));
		},
		hurry: queue.hurry,
		close: pool.close
	};
};
