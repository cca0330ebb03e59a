import type { EmailChangeMail } from '#lib/domain/mail.ts';
import { codeContent } from '../code-content.ts';
import type { EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Confirm your new email address for ${site}`,
	reason: (site: string): string =>
		`You get this email because someone requested to use your email address for an account at ${site}.`,
	intro: (account: string, site: string): string =>
		`${account} wants to change the email address of its account at ${site} to this one. If that account is yours, enter this code where you requested the change:`,
	unexpected: 'If that account isn’t yours, ignore this email.',
	then: 'Nothing will change.'
};

type Mail = EmailChangeMail & { readonly kind: 'email_change_code' };

export const changeCode: EmailKind<Mail> = {
	name: 'email-change code',
	detail: ({ code }) => code,
	write: (mail, wording) => {
		const { site } = wording;
		return codeContent(
			mail,
			{
				...texts,
				subject: texts.subject(site),
				reason: texts.reason(site),
				intro: texts.intro(mail.account, site)
			},
			wording
		);
	}
};
