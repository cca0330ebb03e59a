import type { AnyMail } from '#lib/domain/mail.ts';
import { mailCheck as template } from '../../templates/mail-check.ts';
import type { EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Test email from ${site}`,
	reason: (site: string): string =>
		`You get this email because an operator of ${site} tested its emails.`,
	intro: (site: string): string =>
		`${site} can send emails to this email address. You don’t need to do anything.`,
	detail: 'The command npm run mail:check sent this email.',
	spam: 'If it arrived in the spam folder, check SPF, DKIM and DMARC of the sending domain.',
	preheader: 'You don’t need to do anything.'
};

interface MailCheck extends AnyMail {
	readonly kind: 'mail_check';
}

/** A test email with which operators check their mail settings. */
export const mailCheck: EmailKind<MailCheck> = {
	name: 'test mail',
	write: (_, { site }) => {
		const { subject, reason, intro, ...others } = texts;
		return {
			template,
			subject: subject(site),
			reason: reason(site),
			values: { intro: intro(site), ...others }
		};
	}
};
