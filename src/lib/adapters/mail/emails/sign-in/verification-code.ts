import type { SignInCodeMail } from '#lib/domain/mail.ts';
import { codeContent } from '../code-content.ts';
import type { EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Confirm your email address for ${site}`,
	reason: (site: string): string =>
		`You get this email because someone requested to confirm your email address for ${site}.`,
	intro: 'Enter this code to confirm that this email address is yours:',
	unexpected: 'If you didn’t request it, ignore this email.',
	then: 'Nothing will change.'
};

type Mail = SignInCodeMail & { readonly kind: 'email_verification_code' };

export const verificationCode: EmailKind<Mail> = {
	name: 'email-verification code',
	detail: ({ code }) => code,
	write: (mail, wording) => {
		const { site } = wording;
		const [subject, reason] = [texts.subject(site), texts.reason(site)];
		return codeContent(mail, { ...texts, subject, reason }, wording);
	}
};
