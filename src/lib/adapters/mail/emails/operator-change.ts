import { maskEmail } from '#lib/domain/email.ts';
import type { Code } from '#lib/domain/secret.ts';
import type { UndoToken } from '#lib/domain/signed-links.ts';
import {
	ada,
	grace,
	lifetimeOf,
	requested,
	TOKEN,
	type EmailKind,
	type MailOf
} from './email-kind.ts';
import { advice, code, letter, link, paragraph } from './layout.ts';

/** The only code that a person reads to somebody else. */
export const operatorChangeCode: EmailKind<MailOf<'operator_change_code'>> = {
	name: 'operator email-change code',
	detail: (mail) => mail.code,
	write: (mail, { site, messages }) => {
		const { time, until } = lifetimeOf(messages, mail);
		const account = maskEmail(mail.account);
		const unexpected = 'If you didn’t ask for this, tell nobody the code, and ignore this email.';
		return {
			template: letter(
				paragraph('{{intro}}'),
				code('{{otp}}'),
				paragraph('{{lives}}'),
				advice('{{ignore}}')
			),
			subject: `Confirm your new email address for ${site}`,
			reason: `You get this email because you asked ${site} to move your account to this email address.`,
			values: {
				intro: `You asked us to move the account ${account} at ${site} to this email address. Read this code to the person at ${site} who helps you:`,
				otp: mail.code,
				lives: messages.mail.codes.lives(time, until),
				ignore: unexpected,
				preheader: unexpected
			}
		};
	},
	examples: [{ to: grace, account: ada, code: '012349' as Code, lifetime: 600, at: requested.at }]
};

const changeBackUrl = (origin: string, token: UndoToken): string =>
	`${origin}/auth/undo-email-change/${token}`;

const event = [paragraph('{{intro}}'), paragraph('{{effect}}')];

/** Sent to both addresses. The old one can undo the change. */
export const operatorChangeNotice: EmailKind<MailOf<'operator_change_notice'>> = {
	name: 'operator email-change notice',
	write: ({ to, at, oldEmail, newEmail, undoToken, undoUntil }, { site, origin, messages }) => {
		const { moment } = messages.mail;
		const isOld = to === oldEmail;
		const change = isOld
			? `from this one to ${maskEmail(newEmail)}`
			: `from ${maskEmail(oldEmail)} to this one`;
		const intro = `On ${moment(at)}, we changed the email address of your account ${change}, because we were asked to.`;
		const effect = 'All devices were signed out, and earlier codes no longer work.';
		const subject = `Your email address at ${site} was changed`;
		const reason = `You get this email because an account at ${site} ${isOld ? 'had' : 'now has'} your email address.`;
		// An operator's template has one button for both addresses. It must lead somewhere in each.
		const home = { undoIt: 'Go to your settings', undoUrl: `${origin}/settings` };
		const about = { intro, effect, ...home };
		if (undoToken === null || undoUntil === null) {
			const todo = isOld
				? 'If this wasn’t you, contact us.'
				: 'You can now sign in with this email address.';
			const values = { todo, ...about, preheader: todo };
			return { template: letter(paragraph('{{todo}}'), ...event), subject, reason, values };
		}
		const todo = `If this wasn’t you, change it back by ${moment(undoUntil)}.`;
		const undo = { undoIt: 'Change it back', undoUrl: changeBackUrl(origin, undoToken) };
		const values = { todo, ...about, ...undo, preheader: todo };
		const template = letter(paragraph('{{todo}}'), link('{{undoUrl}}', '{{undoIt}}'), ...event);
		return { template, subject, reason, values };
	},
	examples: [
		{
			...{ to: ada, oldEmail: ada, newEmail: grace, at: requested.at },
			undoToken: `undo.${TOKEN}` as string as UndoToken,
			undoUntil: new Date('2026-11-27T21:39:54Z')
		},
		{
			...{ to: grace, oldEmail: ada, newEmail: grace, at: requested.at },
			...{ undoToken: null, undoUntil: null }
		}
	]
};
