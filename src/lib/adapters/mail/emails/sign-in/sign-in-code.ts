import type { SignInCodeMail } from '#lib/domain/sign-in/request-code.ts';
import { codeContent } from '../code-content.ts';
import type { EmailKind } from '../email-kind.ts';
import { example, type Examples } from '../examples.ts';

const texts = {
	subject: (site: string): string => `Your sign-in code for ${site}`,
	heading: 'Your sign-in code',
	intro: (site: string): string => `Enter this code to sign in to ${site}:`,
	ignore: 'If you didn’t request it, ignore this email. Nobody can sign in without the code.'
};

type Mail = SignInCodeMail & { readonly kind: 'sign_in_code' };

export const signInCode: EmailKind<Mail> = {
	name: 'sign-in code',
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
	'Sign-in code': {
		kind: 'sign_in_code',
		to: example.ada,
		code: example.code('012345'),
		lifetime: 600,
		...example.request
	}
};
