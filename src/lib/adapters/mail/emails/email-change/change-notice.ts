import { maskEmail } from '#lib/domain/email.ts';
import type { ChangeNoticeMail } from '#lib/domain/mail.ts';
import { undoLink } from '../../email-change/undo-link.ts';
import { notice, noticeWithUndo } from '../../templates/notice.ts';
import { sourceText, type EmailKind } from '../email-kind.ts';

const texts = {
	requested: {
		subject: (site: string): string => `Request to change your email address at ${site}`,
		reason: (site: string): string =>
			`You get this email because someone requested to change the email address of your account at ${site}.`,
		intro: (to: string): string =>
			`A device that is signed in to your account requested to change the account’s email address to ${to}. Nothing changes unless the new email address is confirmed.`,
		effect:
			'To stop the change, sign in, open your settings and cancel it. After the new email address is confirmed, you can’t sign in with your current one any more. All other devices are then signed out, and unused codes sent to your current email address no longer work.',
		detail: (at: string, source: string): string => `Requested on ${at} from ${source}.`
	},
	completed: {
		subject: (site: string): string => `Your email address at ${site} was changed`,
		reason: (site: string): string =>
			`You get this email because your email address belonged to an account at ${site} until this change.`,
		intro: (to: string, from: string): string =>
			`The email address of your account is now ${to}. You can no longer sign in to the account with ${from}.`,
		effect:
			'All other devices were signed out. Unused codes that we sent to the earlier email address no longer work. Other requests to change the email address were cancelled.',
		detail: (at: string, source: string): string => `Changed on ${at} from ${source}.`
	},
	undo: (until: string): string =>
		`If this wasn’t you, change it back by ${until}. You’ll confirm on the page that opens, and all devices are then signed out. You can also get there by signing in with the earlier email address.`,
	undoIt: 'Change it back',
	objectToo: 'If that doesn’t work, contact us immediately:',
	settings: 'Go to your settings',
	fallback: 'If the button doesn’t work, open this link:',
	preheader: {
		undo: 'If this wasn’t you, you can change it back.',
		object: 'If this wasn’t you, contact us immediately.'
	}
};

/**
 * Sent to the current email address, so that its owner can object. Its only link undoes the change,
 * and signs nobody in.
 */
export const changeNotice: EmailKind<ChangeNoticeMail> = {
	name: 'email-change notice',
	detail: ({ stage, undoToken }, origin) =>
		undoToken === null ? stage : `${stage}, undo with ${undoLink(origin, undoToken)}`,
	write: (mail, { site, origin, messages }) => {
		const { subject, reason, intro, effect, detail } = texts[mail.stage];
		const { undoToken, undoUntil } = mail;
		const canUndo = undoToken !== null && undoUntil !== null;
		// An operator's template has one button for all notices. It must lead somewhere in each.
		const undo = canUndo
			? {
					undo: texts.undo(messages.mail.moment(undoUntil)),
					undoIt: texts.undoIt,
					undoUrl: undoLink(origin, undoToken),
					object: texts.objectToo
				}
			: { undo: '', undoIt: texts.settings, undoUrl: `${origin}/settings` };
		return {
			template: canUndo ? noticeWithUndo : notice,
			subject: subject(site),
			reason: reason(site),
			values: {
				// The recipient may no longer own the account, so the new email address is masked.
				intro: intro(maskEmail(mail.newEmail), mail.to),
				effect,
				detail: detail(messages.mail.moment(mail.at), sourceText(messages, mail.device)),
				preheader: canUndo ? texts.preheader.undo : texts.preheader.object,
				fallback: texts.fallback,
				...undo
			}
		};
	}
};
