import type { ReauthenticationCodeMail } from '#lib/domain/email-change/reauthenticate.ts';
import { codeContent } from '../code-content.ts';
import type { EmailKind } from '../email-kind.ts';
import { example, type Examples } from '../examples.ts';

const texts = {
	subject: (site: string): string => `Your code to change your email address at ${site}`,
	heading: 'Change your email address',
	intro: (to: string, site: string): string =>
		`Use this code to move your account to ${to}. Enter it where you are signed in to ${site}:`,
	ignore: (site: string): string =>
		`If you didn’t request this, don’t enter the code. Someone else is signed in to your account: sign in to ${site}, open the settings and sign out all other devices.`
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
				intro: texts.intro(mail.newEmail, site),
				ignore: texts.ignore(site)
			},
			wording
		);
	}
};

export const examples: Examples<Mail> = {
	'Code before a change of address': {
		kind: 'reauthentication_code',
		to: example.ada,
		newEmail: example.grace,
		code: example.code('012348'),
		lifetime: 600,
		...example.request
	}
};
