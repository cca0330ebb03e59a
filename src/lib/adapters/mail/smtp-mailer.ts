import type { Mail, Mailer } from '#lib/domain/index.ts';
import type { RenderLetter } from './letter.ts';
import { openSmtpPool, type SmtpSettings } from './smtp-pool.ts';
import type { MailTrouble } from './smtp-trouble.ts';

/** A mail that failed: enough to count and to mend, nothing to read. */
export interface MailEvent extends MailTrouble {
	readonly mail: Mail['kind'];
}

export interface SmtpMailer extends Mailer {
	/** Lets go of the connections; mails under way are finished first. */
	close(): void;
}

/** Sends mails through an SMTP server, each within the deadline of the settings. */
export const smtpMailer = (
	settings: SmtpSettings,
	render: RenderLetter,
	log: (event: MailEvent) => void
): SmtpMailer => {
	const pool = openSmtpPool(settings);
	return {
		send: async (mail) => {
			const posted = await pool.post(mail.to, render(mail));
			if (posted.delivery !== 'sent') {
				const { delivery, step, code } = posted;
				log({ mail: mail.kind, delivery, step, code });
			}
			return posted.delivery;
		},
		close: pool.close
	};
};
