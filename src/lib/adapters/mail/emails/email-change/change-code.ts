import type { EmailChangeMail } from '#lib/domain/email-change/request-email-change.ts';
import { codeContent } from '../code-content.ts';
import { example, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Your code for a change of address at ${site}`,
	heading: 'Confirm your new address',
	intro: (account: string, site: string): string =>
		`The account ${account} at ${site} asks to use this address from now on. Enter this code only if that account is yours:`,
	ignore: 'If that account is not yours, ignore this mail and nothing will change.'
};

type Mail = EmailChangeMail & { readonly kind: 'email_change_code' };

export const changeCode: EmailKind<Mail> = {
	name: 'email-change code',
	detail: ({ code }) => code,
	write: (mail, wording) => {
		const { site } = wording;
		return codeContent(
			mail,
			{ ...texts, subject: texts.subject(site), intro: texts.intro(mail.account, site) },
			wording
		);
	},
	examples: {
		'Code for a change of address': {
			kind: 'email_change_code',
			to: example.grace,
			account: example.ada,
			code: example.code('012347'),
			lifetime: 600,
			...example.request
		}
	}
};
