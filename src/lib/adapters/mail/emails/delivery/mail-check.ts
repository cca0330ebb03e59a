import type { AnyMail } from '#lib/domain/index.ts';
import { notice } from '../../templates/notice.ts';
import type { EmailKind } from '../email-kind.ts';
import { example, type Examples } from '../examples.ts';

const texts = {
	subject: (site: string): string => `Test email from ${site}`,
	heading: 'Email works',
	intro: (site: string): string => `${site} can send email to this email address.`,
	detail: 'It was sent by npm run mail:check. You don’t need to do anything.',
	ignore: 'If it arrived in the spam folder, check SPF, DKIM and DMARC of the sending domain.',
	preheader: 'You don’t need to do anything.'
};

interface MailCheck extends AnyMail {
	readonly kind: 'mail_check';
}

/** A test email with which operators check their mail settings. */
export const mailCheck: EmailKind<MailCheck> = {
	name: 'test mail',
	write: (_, { site }) => {
		const { subject, heading, intro, detail, ignore, preheader } = texts;
		return {
			template: notice,
			subject: subject(site),
			values: { heading, intro: intro(site), detail, object: ignore, preheader }
		};
	}
};

export const examples: Examples<MailCheck> = {
	'Test email': { kind: 'mail_check', to: example.ada }
};
