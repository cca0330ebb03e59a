import { ada, requested, sourceText, type EmailKind, type MailOf } from './email-kind.ts';
import { button, letter, objection, paragraph } from './layout.ts';

const template = letter(
	paragraph('{{intro}}'),
	paragraph('{{detail}}'),
	paragraph('{{restore}}'),
	button('{{app_url}}', '{{open}}'),
	objection
);

/**
 * Explains how to restore the account. Its link opens the sign-in page, and signing in sends the code
 * for that.
 */
export const accountDeleted: EmailKind<MailOf<'account_deleted'>> = {
	name: 'account-deleted mail',
	write: ({ to, at, purgeAt, client }, { site, messages }) => {
		const { moment } = messages.mail;
		return {
			template,
			subject: `Your account at ${site} was deleted`,
			reason: `You get this email because your account at ${site} was deleted.`,
			values: {
				intro: `The account ${to} was deleted, and all its devices were signed out.`,
				detail: `Deleted on ${moment(at)} from ${sourceText(messages, client)}.`,
				restore: `You can restore the account until ${moment(purgeAt)}. To do that, sign in with this email address. After that, the account and its data are permanently deleted.`,
				open: 'Sign in to restore the account',
				preheader: 'You can still restore it. If this wasn’t you, contact us immediately.'
			}
		};
	},
	examples: [{ to: ada, purgeAt: new Date('2026-12-20T21:39:54Z'), ...requested }]
};
