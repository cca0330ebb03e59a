import { ada, requested, sourceText, type EmailKind, type MailOf } from './email-kind.ts';
import { button, letter, paragraph } from './layout.ts';

const template = letter(
	paragraph('{{restore}}'),
	button('{{app_url}}', '{{open}}'),
	paragraph('{{detail}}'),
	paragraph('{{after}}')
);

/**
 * Explains how to restore the account. Its link opens the sign-in page, and signing in sends the code
 * for that.
 */
export const accountDeleted: EmailKind<MailOf<'account_deleted'>> = {
	name: 'account-deleted mail',
	write: ({ to, at, purgeAt, client }, { site, messages }) => {
		const { moment } = messages.common;
		return {
			template,
			subject: `Your account at ${site} was deleted`,
			reason: `You get this email because your account at ${site} was deleted.`,
			values: {
				restore: `You can restore the account until ${moment(purgeAt)}: sign in with this email address.`,
				open: 'Sign in to restore it',
				detail: `The account ${to} was deleted on ${moment(at)} ${client === null ? 'by an operator' : `from ${sourceText(messages, client)}`}.`,
				after:
					'All its devices were signed out. If you don’t restore it, the account and its data are permanently deleted.',
				preheader: 'If this wasn’t you, restore it.'
			}
		};
	},
	examples: [{ to: ada, purgeAt: new Date('2026-12-20T21:39:54Z'), ...requested }]
};
