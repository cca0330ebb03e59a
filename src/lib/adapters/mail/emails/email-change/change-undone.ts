import { maskEmail } from '#lib/domain/email.ts';
import type { ChangeUndoneMail } from '#lib/domain/mail.ts';
import { notice } from '../../templates/notice.ts';
import { sourceText, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Your email address at ${site} was changed back`,
	reason: (site: string): string =>
		`You get this email because your email address belonged to an account at ${site} until this change.`,
	intro: (to: string, from: string): string =>
		`The email address of the account is ${to} again. You can no longer sign in to the account with ${from}.`,
	effect:
		'Someone with access to the earlier email address changed it back. All devices were signed out. Unused codes and other requests to change the email address no longer work.',
	detail: (at: string, source: string): string => `Changed back on ${at} from ${source}.`,
	preheader: 'If this wasn’t you, contact us immediately.'
};

/** Sent to the address that the account leaves. It contains no link or code. */
export const changeUndone: EmailKind<ChangeUndoneMail> = {
	name: 'email-change-undone notice',
	write: (mail, { site, messages }) => ({
		template: notice,
		subject: texts.subject(site),
		reason: texts.reason(site),
		values: {
			// The recipient may be the person from whom the account was taken back.
			intro: texts.intro(maskEmail(mail.oldEmail), mail.to),
			effect: texts.effect,
			detail: texts.detail(messages.mail.moment(mail.at), sourceText(messages, mail.device)),
			preheader: texts.preheader
		}
	})
};
