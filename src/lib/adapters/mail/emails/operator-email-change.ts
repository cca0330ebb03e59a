import { maskEmail } from '#lib/domain/email.ts';
import type { Code } from '#lib/domain/secret.ts';
import {
	ada,
	grace,
	lifetimeOf,
	requested,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { advice, code, letter, paragraph, stressed } from './layout.ts';

const template = letter(
	stressed('{{reader}}'),
	paragraph('{{intro}}'),
	code('{{otp}}'),
	paragraph('{{lives}}'),
	advice('{{ignore}}')
);

/** The only code that a person reads to somebody else. */
export const operatorEmailChangeCode: MailDefinition<MailOf<'operator_email_change_code'>> = {
	name: 'operator email-change code',
	detail: (mail) => mail.code,
	write: (mail, { site, messages }) => {
		const unexpected = 'If you didn’t request this, ignore this email.';
		return {
			template,
			subject: `Confirm your new email address for ${site}`,
			values: {
				intro: `It confirms this email address for the ${site} account of ${maskEmail(mail.account)}.`,
				reader: `Give this code only to ${site}’s support, and only if you contacted them first.`,
				otp: mail.code,
				lives: messages.mail.codes.lives(lifetimeOf(messages, mail)),
				ignore: unexpected,
				preheader: unexpected
			}
		};
	},
	examples: [{ to: grace, account: ada, code: '012349' as Code, lifetime: 600, at: requested.at }]
};
