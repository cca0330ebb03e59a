import { maskEmail, type Email } from '#lib/domain/email.ts';
import { NO_UNDO } from '#lib/domain/mail.ts';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import { undoPath } from '#lib/emailed-paths.ts';
import type { Messages } from '#lib/messages/messages.ts';
import type { TemplateValues } from '../render-template.ts';
import {
	ada,
	eventLines,
	grace,
	requested,
	TOKEN,
	whenLine,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { button, letter, lines, link, paragraph } from './layout.ts';

const [todo, undo] = [paragraph('{{todo}}'), ['{{undoUrl}}', '{{undoIt}}'] as const];
const noticeLetters = (...facts: readonly string[]) => {
	const event = [lines(...facts), paragraph('{{effect}}')];
	return { plain: letter(todo, ...event), withLink: letter(todo, link(...undo), ...event) };
};
const byPerson = noticeLetters('{{address}}', '{{when}}', '{{source}}');
const byOperator = noticeLetters('{{address}}', '{{when}}');
const ofRequest = letter(
	todo,
	button(...undo),
	lines('{{address}}', '{{effect}}'),
	lines('{{when}}', '{{source}}')
);
const noticeToSignIn = letter(
	todo,
	button('{{app_url}}', '{{open}}'),
	lines('{{when}}', '{{source}}'),
	paragraph('{{effect}}')
);

const undoLink = (token: UndoToken, origin: string): string => origin + undoPath(token);

/** An operator's template has one button for all notices. It must lead somewhere in each. */
const undoButton = (token: UndoToken | null, origin: string): TemplateValues =>
	token === null
		? { undoIt: 'Go to your settings', undoUrl: `${origin}/settings` }
		: { undoIt: 'Change it back', undoUrl: undoLink(token, origin) };

const undoAdvice = (until: Date, { mail }: Messages, attacked = 'If this wasn’t you'): string =>
	`${attacked}, change it back by ${mail.moment(until)}.`;

/** Masked, because the recipient may no longer own the account. */
const newAddress = (email: Email): string => `New email address: ${maskEmail(email)}`;

/** For an account that moves away from the recipient, who may be its owner. */
const signInWith = (email: Email): string =>
	`If this is your account, sign in with ${maskEmail(email)} from now on.`;

const texts = {
	requested: (site: string) => ({
		subject: `Request to change your email address for ${site}`,
		effect: 'Nothing changes until the new address is confirmed.',
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
		const { subject, effect, done } = texts[mail.stage](site, mail.to);
		const values = {
			address: newAddress(mail.newEmail),
			...eventLines(messages, done, mail),
			effect,
			...undoButton(mail.undoToken, origin)
		};
		if (mail.undoUntil !== null) {
			const todo = `${undoAdvice(mail.undoUntil, messages)} Then change the password of your email account.`;
			const preheader = 'If this wasn’t you, you can change it back.';
			return { template: byPerson.withLink, subject, values: { ...values, todo, preheader } };
		}
		const [template, todo] =
			mail.stage === 'completed'
				? [byPerson.plain, signInWith(mail.newEmail)]
				: [
						ofRequest,
						'If this wasn’t you, cancel the change in your settings, and sign out all other devices.'
					];
		return { template, subject, values: { ...values, todo, preheader: todo } };
	},
	examples: [completed, { ...completed, stage: 'requested', ...NO_UNDO }]
};

/** Sent to both email addresses. The old one can undo the change. */
export const operatorChangeNotice: MailDefinition<MailOf<'operator_email_change_notice'>> = {
	name: 'operator email-change notice',
	detail: ({ undoToken }, origin) => (undoToken === null ? 'done' : undoLink(undoToken, origin)),
	write: (mail, { site, origin, messages }) => {
		const { to, at, oldEmail, newEmail, undoToken, undoUntil } = mail;
		const isOld = to === oldEmail;
		let todo = isOld ? signInWith(newEmail) : 'You can now sign in with this email address.';
		if (undoUntil !== null) todo = undoAdvice(undoUntil, messages, 'If you didn’t ask for this');
		return {
			template: undoUntil === null ? byOperator.plain : byOperator.withLink,
			subject: `Your email address for ${site} was changed`,
			values: {
				todo,
				address: isOld ? newAddress(newEmail) : `Earlier email address: ${maskEmail(oldEmail)}`,
				when: whenLine(messages, 'Changed', at),
				effect: `An operator of ${site} changed the email address. ${isOld ? `You can no longer sign in with ${oldEmail}. ` : ''}All devices were signed out, and earlier codes and links no longer work.`,
				...undoButton(undoToken, origin),
				preheader: todo
			}
		};
	},
	examples: [
		{ ...completed, oldEmail: ada },
		{ ...completed, oldEmail: ada, to: grace, ...NO_UNDO }
	]
};

/** Sent to the email address that the account leaves. Its only link opens the sign-in page. */
export const changeUndone: MailDefinition<MailOf<'email_change_undone'>> = {
	name: 'email-change-undone notice',
	write: ({ to, oldEmail, ...event }, { site, messages }) => ({
		template: noticeToSignIn,
		subject: `Your email address for ${site} was changed back`,
		values: {
			// The recipient may be the person from whom the account was taken back.
			todo: `${signInWith(oldEmail)} If you didn’t change it back, change the password of that email account.`,
			...eventLines(messages, 'Changed back', event),
			effect: `You can no longer sign in with ${to}. All devices were signed out, and earlier codes and links no longer work.`,
			open: messages.common.signIn,
			preheader: signInWith(oldEmail)
		}
	}),
	examples: [{ to: grace, oldEmail: ada, ...requested }]
};
