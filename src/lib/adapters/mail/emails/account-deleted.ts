import { ada, requested, sourceText, type MailKind, type MailOf } from './mail-kind.ts';
import { button, letter, paragraph } from './layout.ts';

const template = letter(
	paragraph('{{restore}}'),
	button('{{app_url}}', '{{open}}'),
	paragraph('{{detail}}')
);

/**
 * Explains how to restore the account. Its link opens the sign-in page, and signing in sends the code
 * for that.
 */
export const accountDeleted: MailKind<MailOf<'account_deleted'>> = {
	name: 'account-deleted mail',
	write: ({ to, at, purgeAt, client }, { site, messages }) => {
		const { moment } = messages.common;
		return {
			template,
			subject: `Your account at ${site} was deleted`,
			values: {
				restore: `You can restore the account ${to} with its data until ${moment(purgeAt)}: sign in with this email address.`,
				open: 'Sign in to restore it',
				detail: `Deleted on ${moment(at)} ${client === null ? 'by an operator' : `from ${sourceText(messages, client)}`}. All devices were signed out.`,
				preheader: 'If this wasn’t you, restore it.'
			}
		};
	},
	examples: [{ to: ada, purgeAt: new Date('2026-12-20T21:39:54Z'), ...requested }]
};
