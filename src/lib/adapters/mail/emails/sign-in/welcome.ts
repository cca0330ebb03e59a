import type { WelcomeMail } from '#lib/domain/sign-in/user-created.ts';
import { welcome as template } from '../../templates/welcome.ts';
import { example, type EmailKind } from '../email-kind.ts';

const texts = {
	subject: (site: string): string => `Welcome to ${site}`,
	heading: (site: string): string => `Welcome to ${site}`,
	intro: (email: string): string => `Your account for ${email} is ready.`,
	how: 'There is no password. Whenever you sign in, a new code comes to this address.',
	open: 'Open your account',
	preheader: 'Your account is ready. There is no password to remember.'
};

export const welcome: EmailKind<WelcomeMail> = {
	name: 'welcome mail',
	write: (mail, { site }) => {
		const { subject, heading, intro, ...others } = texts;
		return {
			template,
			subject: subject(site),
			values: { heading: heading(site), intro: intro(mail.to), ...others }
		};
	},
	examples: { Welcome: { kind: 'welcome', to: example.ada } }
};
