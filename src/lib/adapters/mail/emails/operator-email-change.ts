import { maskEmail } from '#lib/domain/email.ts';
import { NO_UNDO } from '#lib/domain/mail.ts';
import type { Code } from '#lib/domain/secret.ts';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import {
	ada,
	grace,
	lifetimeOf,
	requested,
	TOKEN,
	type MailDefinition,
	type MailOf
} from './mail-definition.ts';
import { signInWith, undoLink } from './change-notices.ts';
import { advice, code, letter, lines, link, paragraph, stressed } from './layout.ts';

/** The only code that a person reads to somebody else. */
export const operatorEmailChangeCode: MailDefinition<MailOf<'operator_email_change_code'>> = {
	name: 'operator email-change code',
	detail: (mail) => mail.code,
	write: (mail, { site, messages }) => {
		const unexpected = 'If you didn’t request this, ignore this email.';
		return {
			template: letter(
				paragraph('{{intro}}'),
				stressed('{{reader}}'),
				code('{{otp}}'),
				paragraph('{{lives}}'),
				advice('{{ignore}}')
			),
			subject: `Confirm your new email address for ${site}`,
			values: {
				intro: `We were asked to change the email address of an account at ${site} from ${maskEmail(mail.account)} to this one.`,
				reader: 'Tell this code only to a person you contacted yourself.',
				otp: mail.code,
				lives: messages.mail.codes.lives(lifetimeOf(messages, mail)),
				ignore: unexpected,
				preheader: unexpected
			}
		};
	},
	examples: [{ to: grace, account: ada, code: '012349' as Code, lifetime: 600, at: requested.at }]
};

const event = [lines('{{address}}', '{{when}}'), paragraph('{{effect}}')];
const notice = letter(paragraph('{{todo}}'), ...event);
const noticeWithLink = letter(paragraph('{{todo}}'), link('{{undoUrl}}', '{{undoIt}}'), ...event);

const changed = {
	oldEmail: ada,
	newEmail: grace,
	at: requested.at,
	undoToken: `undo.${TOKEN}` as string as UndoToken,
	undoUntil: new Date('2026-11-27T21:39:54Z')
};

/** Sent to both email addresses. The old one can undo the change. */
export const operatorEmailChangeNotice: MailDefinition<MailOf<'operator_email_change_notice'>> = {
	name: 'operator email-change notice',
	detail: ({ undoToken }, origin) => (undoToken === null ? 'done' : undoLink(undoToken, origin)),
	write: ({ to, at, oldEmail, newEmail, undoToken, undoUntil }, { site, origin, messages }) => {
		const { moment } = messages.mail;
		const isOld = to === oldEmail;
		const values = {
			todo: isOld ? signInWith(newEmail) : 'You can now sign in with this email address.',
			address: isOld
				? `New email address: ${maskEmail(newEmail)}`
				: `Earlier email address: ${maskEmail(oldEmail)}`,
			when: `Changed: ${moment(at)}`,
			effect: `An operator of ${site} changed the email address. ${isOld ? `You can no longer sign in with ${oldEmail}. ` : ''}All devices were signed out, and earlier codes and links no longer work.`,
			// An operator's template has one button for both addresses. It must lead somewhere in each.
			undoIt: 'Go to your settings',
			undoUrl: `${origin}/settings`
		};
		if (undoToken !== null && undoUntil !== null) {
			values.todo = `If this wasn’t you, change it back by ${moment(undoUntil)}. That signs out all devices.`;
			values.undoIt = 'Change it back';
			values.undoUrl = undoLink(undoToken, origin);
		}
		return {
			template: undoToken === null ? notice : noticeWithLink,
			subject: `Your email address for ${site} was changed`,
			values: { ...values, preheader: values.todo }
		};
	},
	examples: [
		{ ...changed, to: ada },
		{ ...changed, to: grace, ...NO_UNDO }
	]
};
