import type { ConditionalMailer } from '#lib/domain/delivery/deliver-email.ts';
import type { Mail } from '#lib/domain/mail.ts';
import type { RenderEmail } from './email-renderer.ts';
import type { SmtpSettings } from './smtp-pool.ts';
import type { MailFailure } from './smtp-failure.ts';
import { smtpRoute, type RouteOutcome, type SmtpQueueSettings } from './smtp-route.ts';

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

/** An email that the mail server accepted. Logged only where an email can take two ways. */
export interface MailSentEvent {
	readonly mail: Mail['kind'];
	readonly delivery: 'sent';
}

export type MailEvent = MailFailedEvent | MailBusyEvent;

export interface SmtpMailer extends ConditionalMailer {
	/** From now on, refuses emails that would wait longer than this many milliseconds. */
	hurry(patience: number): void;
	/** Closes the connections after the current emails are finished. */
	close(): void;
}

/** Sends emails through an SMTP server, each within the configured deadline. */
export const smtpMailer = (
	settings: SmtpSettings,
	render: RenderEmail,
	log: (event: MailEvent) => void,
	queueSettings: SmtpQueueSettings
): SmtpMailer => {
	const { post, ...route } = smtpRoute(settings, render, queueSettings);
	return {
		...route,
		send: async (mail, id) => {
			const outcome = await post(mail, { id });
			const event = eventOf(mail, outcome);
			if (event !== null) log(event);
			return outcome.delivery;
		}
	};
};

/** What the log says about an email that was not sent. Null for one that was. */
export const eventOf = ({ kind }: Mail, outcome: RouteOutcome): MailEvent | null => {
	if (outcome.delivery === 'sent') return null;
	if (outcome.delivery === 'busy') return { mail: kind, ...outcome };
	const { delivery, step, code } = outcome;
	return { mail: kind, delivery, step, code };
};
