import type { AnyMail } from '#lib/domain/index.ts';
import { notice } from '../../templates/notice.ts';
import { example, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Test mail from ${site}`,
	heading: 'Mail works',
	intro: (site: string): string => `${site} can send mail to this address.`,
	detail: 'It was sent by npm run mail:check. There is nothing to do.',
	ignore: 'Landed in the spam folder? Check SPF, DKIM and DMARC of the sending domain.',
	preheader: 'Nothing to do.'
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
	},
	examples: { 'Test mail': { kind: 'mail_check', to: example.ada } }
};
