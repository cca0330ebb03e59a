import type { WelcomeMail } from '#lib/domain/mail.ts';
import { welcome as template } from '../../templates/welcome.ts';
import type { EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Welcome to ${site}`,
	reason: (site: string): string =>
		`You get this email because your email address was used to create an account at ${site}.`,
	intro: (email: string): string => `Your account for ${email} is ready.`,
	how: 'There’s no password. Each time you sign in, we’ll send a new code to this email address.',
	open: 'Open your account',
	object: 'If you have a question, or didn’t create this account, contact us:',
	preheader: 'Your account is ready. There’s no password to remember.'
};

export const welcome: EmailKind<WelcomeMail> = {
	name: 'welcome mail',
	write: (mail, { site }) => {
		const { subject, reason, intro, ...others } = texts;
		return {
			template,
			subject: subject(site),
			reason: reason(site),
			values: { intro: intro(mail.to), ...others }
		};
	}
};
