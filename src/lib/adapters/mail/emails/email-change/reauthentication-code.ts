import type { ReauthenticationCodeMail } from '#lib/domain/mail.ts';
import { codeContent } from '../code-content.ts';
import type { EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Change your email address at ${site}`,
	reason: (site: string): string =>
		`You get this email because someone requested to change the email address of your account at ${site}.`,
	intro: (to: string): string =>
		`To change the email address of your account to ${to}, enter this code where you requested the change:`,
	unexpected: 'If you didn’t request it, someone else is signed in to your account.',
	then: (site: string): string =>
		`Don’t enter the code. Sign in to ${site}, open your settings and sign out all other devices.`
};

type Mail = ReauthenticationCodeMail & { readonly kind: 'reauthentication_code' };

export const reauthenticationCode: EmailKind<Mail> = {
	name: 'reauthentication code',
	detail: ({ code }) => code,
	write: (mail, wording) => {
		const { site } = wording;
		return codeContent(
			mail,
			{
				...texts,
				subject: texts.subject(site),
				reason: texts.reason(site),
				intro: texts.intro(mail.newEmail),
				then: texts.then(site)
			},
			wording
		);
	}
};
