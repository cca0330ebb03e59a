import type { AccountDeletedMail } from '#lib/domain/mail.ts';
import { accountDeleted as template } from '../../templates/account-deleted.ts';
import { sourceText, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Your account at ${site} was deleted`,
	reason: (site: string): string =>
		`You get this email because your account at ${site} was deleted.`,
	intro: (email: string): string =>
		`The account ${email} was deleted, and all its devices were signed out.`,
	detail: (at: string, source: string): string => `Deleted on ${at} from ${source}.`,
	restore: (until: string): string =>
		`You can restore the account until ${until}. To do that, sign in with this email address. After that, the account and its data are permanently deleted.`,
	open: 'Sign in to restore the account',
	preheader: 'You can still restore it. If this wasn’t you, contact us immediately.'
};

/** Explains how to restore the account. Signing in sends the code for that. */
export const accountDeleted: EmailKind<AccountDeletedMail> = {
	name: 'account-deleted mail',
	write: (mail, { site, messages }) => {
		const { moment } = messages.mail;
		return {
			template,
			subject: texts.subject(site),
			reason: texts.reason(site),
			values: {
				intro: texts.intro(mail.to),
				detail: texts.detail(moment(mail.at), sourceText(messages, mail.device)),
				restore: texts.restore(moment(mail.purgeAt)),
				open: texts.open,
				preheader: texts.preheader
			}
		};
	}
};
