import type { SignInCodeMail } from '#lib/domain/sign-in/request-code.ts';
import { codeContent } from '../code-content.ts';
import { example, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Confirm your address for ${site}`,
	heading: 'Confirm your address',
	intro: (site: string): string =>
		`Enter this code at ${site} to confirm that this address is yours:`,
	ignore: 'If you did not ask for it, ignore this mail and nothing will change.'
};

type Mail = SignInCodeMail & { readonly kind: 'email_verification_code' };

export const verificationCode: EmailKind<Mail> = {
	name: 'email-verification code',
	detail: ({ code }) => code,
	write: (mail, wording) => {
		const { site } = wording;
		return codeContent(
			mail,
			{ ...texts, subject: texts.subject(site), intro: texts.intro(site) },
			wording
		);
	},
	examples: {
		'Verification code': {
			kind: 'email_verification_code',
			to: example.ada,
			code: example.code('012346'),
			lifetime: 600,
			...example.request
		}
	}
};
