import type { SignInCodeMail } from '#lib/domain/sign-in/request-code.ts';
import { codeContent } from '../code-content.ts';
import type { EmailKind } from '../email-kind.ts';
import { example, type Examples } from '../examples.ts';

const texts = {
	subject: (site: string): string => `Confirm your email address for ${site}`,
	heading: 'Confirm your email address',
	intro: (site: string): string =>
		`Enter this code at ${site} to confirm that this email address is yours:`,
	ignore: 'If you didn’t request it, ignore this email and nothing will change.'
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
	}
};

export const examples: Examples<Mail> = {
	'Verification code': {
		kind: 'email_verification_code',
		to: example.ada,
		code: example.code('012346'),
		lifetime: 600,
		...example.request
	}
};
