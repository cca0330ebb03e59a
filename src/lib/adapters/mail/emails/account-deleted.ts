import { ada, eventLines, requested, type MailDefinition, type MailOf } from './mail-definition.ts';
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
		const { moment } = messages.common;
		const todo = `sign in to restore your account by ${moment(purgeAt)}.`;
		const first =
			source === null ? `You can ${todo}` : `If this wasn’t you, or you change your mind, ${todo}`;
		const restore = `${first} After that, it’s permanently deleted.`;
		return {
			template,
			subject: `Your ${site} account was deleted`,
			values: {
				restore,
				open: 'Sign in to restore it',
				...(source
					? eventLines(messages, 'Deleted', { at, source })
					: { when: `Deleted: ${moment(at)}`, source: 'By: an operator' }),
				effect: 'All devices were signed out.',
				preheader: first
			}
		};
	},
	examples: [{ to: ada, purgeAt: new Date('2026-12-20T21:39:54Z'), ...requested }]
};
