import { maskEmail, type Email } from '#lib/domain/email.ts';
import { NO_UNDO } from '#lib/domain/mail.ts';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import { undoPath } from '#lib/emailed-paths.ts';
import {
	ada,
	eventLines,
	grace,
	requested,
	TOKEN,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { button, letter, lines, link, paragraph } from './layout.ts';

const event = [lines('{{address}}', '{{when}}', '{{source}}'), paragraph('{{effect}}')];
const notice = letter(paragraph('{{todo}}'), ...event);
const noticeToSignIn = letter(
	paragraph('{{todo}}'),
	button('{{app_url}}', '{{open}}'),
	lines('{{when}}', '{{source}}'),
	paragraph('{{effect}}')
);
const noticeWithButton = letter(
	paragraph('{{todo}}'),
	button('{{undoUrl}}', '{{undoIt}}'),
	...event
);
const noticeWithLink = letter(paragraph('{{todo}}'), link('{{undoUrl}}', '{{undoIt}}'), ...event);

export const undoLink = (token: UndoToken, origin: string): string => origin + undoPath(token);

/** For an account that moves away from the recipient, who may be its owner. */
export const signInWith = (email: Email): string =>
	`If the account is yours, sign in with ${maskEmail(email)}.`;

const texts = {
	requested: (site: string) => ({
		subject: `Request to change your email address for ${site}`,
		effect:
			'Nothing changes until the new email address is confirmed. Then all other devices are signed out.',
		done: 'Requested'
	}),
	completed: (site: string, from: string) => ({
		subject: `Your email address for ${site} was changed`,
		effect: `You can no longer sign in with ${from}. All other devices were signed out, and earlier codes and links no longer work.`,
		done: 'Changed'
	})
};

const completed = {
	to: ada,
	newEmail: grace,
	stage: 'completed',
	undoToken: `undo.${TOKEN}` as string as UndoToken,
	undoUntil: new Date('2026-11-27T21:39:54Z'),
	...requested
} as const;

/** Lets the owner of the current email address object. Its only link undoes the change. */
export const changeNotice: MailDefinition<MailOf<'email_change_notice'>> = {
	name: 'email-change notice',
	detail: ({ stage, undoToken }, origin) =>
		undoToken === null ? stage : `${stage}, undo with ${undoLink(undoToken, origin)}`,
	write: (mail, { site, origin, messages }) => {
		const { moment } = messages.mail;
		// The recipient may no longer own the account, so the new email address is masked.
		const address = `New email address: ${maskEmail(mail.newEmail)}`;
		const { subject, effect, done } = texts[mail.stage](site, mail.to);
		const { undoToken, undoUntil } = mail;
		// An operator's template has one button for all notices. It must lead somewhere in each.
		const settings = { undoIt: 'Go to your settings', undoUrl: `${origin}/settings` };
		const values = { address, ...eventLines(messages, done, mail), effect, ...settings };
		if (undoToken !== null && undoUntil !== null) {
			values.undoIt = 'Change it back';
			values.undoUrl = undoLink(undoToken, origin);
			const todo = `If this wasn’t you, change it back by ${moment(undoUntil)}. That signs out all devices. Then change the password of your email account.`;
			const preheader = 'If this wasn’t you, you can change it back.';
			return { template: noticeWithLink, subject, values: { todo, ...values, preheader } };
		}
		if (mail.stage === 'completed') {
			const todo = signInWith(mail.newEmail);
			return { template: notice, subject, values: { todo, ...values, preheader: todo } };
		}
		const todo =
			'If this wasn’t you, cancel the change in your settings, and sign out all other devices.';
		return {
			template: noticeWithButton,
			subject,
			values: { todo, ...values, preheader: todo }
		};
	},
	examples: [completed, { ...completed, stage: 'requested', ...NO_UNDO }]
};

/** Sent to the email address that the account leaves. Its only link opens the sign-in page. */
export const changeUndone: MailDefinition<MailOf<'email_change_undone'>> = {
	name: 'email-change-undone notice',
	write: ({ to, oldEmail, ...event }, { site, messages }) => ({
		template: noticeToSignIn,
		subject: `Your email address for ${site} was changed back`,
		values: {
			// The recipient may be the person from whom the account was taken back.
			todo: signInWith(oldEmail),
			address: `Earlier email address: ${maskEmail(oldEmail)}`,
			...eventLines(messages, 'Changed back', event),
			effect: `You can no longer sign in with ${to}. All devices were signed out, and earlier codes and links no longer work.`,
			open: messages.common.signIn,
			preheader: signInWith(oldEmail)
		}
	}),
	examples: [{ to: grace, oldEmail: ada, ...requested }]
};
