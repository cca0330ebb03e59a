import { maskEmail } from '#lib/domain/email.ts';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import {
	ada,
	grace,
	requested,
	sourceText,
	TOKEN,
	type EmailKind,
	type MailOf
} from './email-kind.ts';
import { letter, link, mildObjection, objection, paragraph } from './layout.ts';

const event = [paragraph('{{intro}}'), paragraph('{{effect}}'), paragraph('{{detail}}')];
const notice = letter(...event, objection);
const noticeWithUndo = letter(
	...event,
	paragraph('{{undo}}'),
	link('{{undoUrl}}', '{{undoIt}}'),
	mildObjection
);

const undoLink = (token: UndoToken, origin: string): string =>
	`${origin}/auth/undo-email-change/${token}`;

const texts = {
	requested: (site: string, to: string) => ({
		subject: `Request to change your email address at ${site}`,
		reason: `You get this email because someone requested to change the email address of your account at ${site}.`,
		intro: `A device that is signed in to your account requested to change the account’s email address to ${to}. Nothing changes unless the new email address is confirmed.`,
		effect:
			'To stop the change, sign in, open your settings and cancel it. After the new email address is confirmed, you can’t sign in with your current one any more. All other devices are then signed out, and unused codes sent to your current email address no longer work.',
		done: 'Requested'
	}),
	completed: (site: string, to: string, from: string) => ({
		subject: `Your email address at ${site} was changed`,
		reason: `You get this email because your email address belonged to an account at ${site} until this change.`,
		intro: `The email address of your account is now ${to}. You can no longer sign in to the account with ${from}.`,
		effect:
			'All other devices were signed out. Unused codes that we sent to the earlier email address no longer work. Other requests to change the email address were cancelled.',
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

/**
 * Sent to the current email address, so that its owner can object. Its only link undoes the change,
 * and signs nobody in.
 */
export const changeNotice: EmailKind<MailOf<'email_change_notice'>> = {
	name: 'email-change notice',
	detail: ({ stage, undoToken }, origin) =>
		undoToken === null ? stage : `${stage}, undo with ${undoLink(undoToken, origin)}`,
	write: (mail, { site, origin, messages }) => {
		const { moment } = messages.mail;
		// The recipient may no longer own the account, so the new email address is masked.
		const newEmail = maskEmail(mail.newEmail);
		const { subject, reason, intro, effect, done } = texts[mail.stage](site, newEmail, mail.to);
		const detail = `${done} on ${moment(mail.at)} from ${sourceText(messages, mail.client)}.`;
		const { undoToken, undoUntil } = mail;
		if (undoToken === null || undoUntil === null) {
			const preheader = 'If this wasn’t you, contact us immediately.';
			// An operator's template has one button for all notices. It must lead somewhere in each.
			const undo = { undo: '', undoIt: 'Go to your settings', undoUrl: `${origin}/settings` };
			const values = { intro, effect, detail, preheader, ...undo };
			return { template: notice, subject, reason, values };
		}
		return {
			template: noticeWithUndo,
			subject,
			reason,
			values: {
				intro,
				effect,
				detail,
				preheader: 'If this wasn’t you, you can change it back.',
				undo: `If this wasn’t you, change it back by ${moment(undoUntil)}. You’ll confirm on the page that opens, and all devices are then signed out. You can also get there by signing in with the earlier email address.`,
				undoIt: 'Change it back',
				undoUrl: undoLink(undoToken, origin),
				object: 'If that doesn’t work, contact us immediately:'
			}
		};
	},
	examples: [completed, { ...completed, stage: 'requested', undoToken: null, undoUntil: null }]
};

/** Sent to the address that the account leaves. It contains no link or code. */
export const changeUndone: EmailKind<MailOf<'email_change_undone'>> = {
	name: 'email-change-undone notice',
	write: ({ to, oldEmail, at, client }, { site, messages }) => ({
		template: notice,
		subject: `Your email address at ${site} was changed back`,
		reason: `You get this email because your email address belonged to an account at ${site} until this change.`,
		values: {
			// The recipient may be the person from whom the account was taken back.
			intro: `The email address of the account is ${maskEmail(oldEmail)} again. You can no longer sign in to the account with ${to}.`,
			effect:
				'Someone with access to the earlier email address changed it back. All devices were signed out. Unused codes and other requests to change the email address no longer work.',
			detail: `Changed back on ${messages.mail.moment(at)} from ${sourceText(messages, client)}.`,
			preheader: 'If this wasn’t you, contact us immediately.'
		}
	}),
	examples: [{ to: grace, oldEmail: ada, ...requested }]
};
