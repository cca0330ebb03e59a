import type { EmailId } from '#lib/domain/ids.ts';
import type { Mail } from '#lib/domain/mail.ts';
import { openRehearsal } from './delivery/compose.ts';
import { fairQueue, type FairQueue } from './delivery/fair-queue.ts';
import type { Timing } from './delivery/usual-duration.ts';
import type { RenderEmail } from './email-renderer.ts';
import { openSmtpPool, type Posted, type SmtpSettings } from './smtp-pool.ts';

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

/** What became of one email on one route. */
export type RouteOutcome =
	| Posted
	/** The queue had no room. `waiting` emails are in it. */
	| { readonly delivery: 'busy'; readonly waiting: number };

export interface RouteOptions {
	readonly id?: EmailId | undefined;
	/**
	 * The time for the email in milliseconds, including the time in the queue. Without it, the
	 * configured patience and deadline apply.
	 */
	readonly within?: number | undefined;
}

/** One mail server, with a queue in front of its connections. */
export interface MailRoute {
	/** Sends one email. A failure is returned, not thrown. */
	post(mail: Mail, options: RouteOptions): Promise<RouteOutcome>;
	/**
	 * Does the work of `post`, keeps a connection unused for as long as an email usually takes, and
	 * sends nothing.
	 */
	rehearse(mail: Mail): Promise<void>;
	/** From now on, refuses emails that would wait longer than this many milliseconds. */
	hurry(patience: number): void;
	/** Closes the connections after the current emails are finished. */
	close(): void;
}

/**
 * Sends emails through an SMTP server. One email at a time per connection; the others wait in a
 * queue here, where they can still be cancelled.
 */
export const smtpRoute = (
	settings: SmtpSettings,
	render: RenderEmail,
	queueSettings: SmtpQueueSettings
): MailRoute => {
	const pool = openSmtpPool(settings);
	const { connections, deadline } = settings;
	const { keyOf } = queueSettings;
	const rehearse = openRehearsal(settings);
	const queue: FairQueue = fairQueue({ ...queueSettings, width: connections });
	return {
		post: async (mail, { id, within }) => {
			const time = within ?? deadline;
			const send = (waited: number): Promise<Posted> =>
				// Subtract the time the email has waited, but leave a working server at least 40 % of the
				// time. Emails that no request waits for may have waited longer than the deadline.
				pool.post(mail.to, render(mail), { id, within: Math.max(time - waited, 0.4 * time) });
			// Half of `within` for the queue keeps the whole within it.
			const patience = within === undefined ? undefined : within / 2;
			const posted = await queue.run(keyOf(mail), send, patience);
			return posted === 'busy' ? { delivery: 'busy', waiting: queue.waiting } : posted;
		},
		rehearse: async (mail) => {
			await queue.occupy(keyOf(mail), () => rehearse(mail.to, render(mail)));
		},
		hurry: queue.hurry,
		close: pool.close
	};
};
