import { maskEmail } from '#lib/domain/email.ts';
import type { ChangeNoticeMail } from '#lib/domain/email-change/change-notices.ts';
import { notice } from '../../templates/notice.ts';
import { sourceText, type EmailKind } from '../email-kind.ts';
import { example, type Examples } from '../examples.ts';

const texts = {
	requested: {
		subject: (site: string): string => `Request to change your email address at ${site}`,
		reason: (site: string): string =>
			`You get this email because your account at ${site} requested to change its email address.`,
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
		intro: (to: string): string =>
			`The email address of your account is now ${to}. You can no longer sign in to the account with this one.`,
		effect:
			'All other devices were signed out. Unused codes that we sent to this email address no longer work. Other requests to change the email address were cancelled.',
		detail: (at: string, source: string): string => `Changed on ${at} from ${source}.`
	},
	preheader: 'If this wasn’t you, contact us immediately.'
};

const anExample = {
	kind: 'email_change_notice',
	to: example.ada,
	newEmail: example.grace,
	...example.request
} as const;

/**
 * Sent to the current email address, so that its owner can object. It contains no link or code that
 * grants access.
 */
export const changeNotice: EmailKind<ChangeNoticeMail> = {
	name: 'email-change notice',
	detail: ({ stage }) => stage,
	write: (mail, { site, messages }) => {
		const { subject, reason, intro, effect, detail } = texts[mail.stage];
		return {
			template: notice,
			subject: subject(site),
			reason: reason(site),
			values: {
				// The recipient may no longer own the account, so the new email address is masked.
				intro: intro(maskEmail(mail.newEmail)),
				effect,
				detail: detail(messages.mail.moment(mail.at), sourceText(messages, mail.device)),
				preheader: texts.preheader
			}
		};
	}
};

export const examples: Examples<ChangeNoticeMail> = {
	'Email change requested': { ...anExample, stage: 'requested' },
	'Email changed': { ...anExample, stage: 'completed' }
};
