import type { SignInCodeMail } from '#lib/domain/mail.ts';
import { codeContent } from '../code-content.ts';
import type { EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Sign in to ${site}`,
	reason: (site: string): string =>
		`You get this email because someone requested a code to sign in to ${site} with your email address.`,
	intro: 'Enter this code in the browser or app where you requested it:',
	unexpected: 'If you didn’t request it, ignore this email.',
	then: 'Nobody can sign in without the code.'
};

type Mail = SignInCodeMail & { readonly kind: 'sign_in_code' };

export const signInCode: EmailKind<Mail> = {
	name: 'sign-in code',
	detail: ({ code }) => code,
	write: (mail, wording) => {
		const { site } = wording;
		const [subject, reason] = [texts.subject(site), texts.reason(site)];
		return codeContent(mail, { ...texts, subject, reason }, wording);
	}
};
