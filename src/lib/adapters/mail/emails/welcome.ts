import { ada, type MailDefinition, type MailOf } from './mail-definition.ts';
import { button, letter, paragraph } from './layout.ts';

const template = letter(
	paragraph('{{intro}}'),
	paragraph('{{how}}'),
	button('{{app_url}}', '{{open}}')
);

export const welcome: MailDefinition<MailOf<'welcome'>> = {
	name: 'welcome mail',
	write: ({ to }, { site }) => ({
		template,
		subject: `Welcome to ${site}`,
		values: {
			intro: `Your account for ${to} is ready.`,
			how: 'There’s no password. Each time you sign in, we’ll send a new code to this email address.',
			open: 'Open your account',
			preheader: 'Your account is ready. There’s no password to remember.'
		}
	}),
	examples: [{ to: ada }]
};
