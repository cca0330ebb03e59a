import {
	ada,
	eventLines,
	requested,
	whenLine,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { button, letter, lines, paragraph } from './layout.ts';

const template = letter(
	paragraph('{{restore}}'),
	button('{{app_url}}', '{{open}}'),
	lines('{{when}}', '{{source}}'),
	paragraph('{{effect}}')
);

/** Its link opens the sign-in page, and signing in sends the code that restores the account. */
export const accountDeleted: MailDefinition<MailOf<'account_deleted'>> = {
	name: 'account-deleted mail',
	write: ({ at, purgeAt, source }, { site, messages }) => {
		const { moment } = messages.mail;
		const todo = `To restore your account, sign in by ${moment(purgeAt)}.`;
		const restore = `${todo} After that, it’s deleted forever.`;
		const attacked =
			'If you didn’t delete your account, also change the password of your email account.';
		return {
			template,
			subject: `Your ${site} account was deleted`,
			values: {
				restore: source === null ? restore : `${restore} ${attacked}`,
				open: 'Sign in to restore it',
				...(source
					? eventLines(messages, 'Deleted', { at, source })
					: { when: whenLine(messages, 'Deleted', at), source: 'By: an operator' }),
				effect: 'All devices were signed out.',
				preheader: todo
			}
		};
	},
	examples: [{ to: ada, purgeAt: new Date('2026-12-20T21:39:54Z'), ...requested }]
};
