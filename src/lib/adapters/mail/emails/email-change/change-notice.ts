import { maskEmail } from '#lib/domain/email.ts';
import type { ChangeNoticeMail } from '#lib/domain/email-change/change-notices.ts';
import { notice } from '../../templates/notice.ts';
import { sourceText, type EmailKind } from '../email-kind.ts';
import { example, type Examples } from '../examples.ts';

const texts = {
	requested: {
		subject: (site: string): string => `A change of your email address at ${site} was requested`,
		heading: 'Email change requested',
		intro: (to: string, site: string): string =>
			`A device that is signed in to your account at ${site} requested to change its email address to ${to}. Nothing changes unless the new email address is confirmed.`,
		detail: (at: string, source: string): string => `Requested on ${at} from ${source}.`
	},
	completed: {
		subject: (site: string): string => `Your email address at ${site} was changed`,
		heading: 'Your email address was changed',
		intro: (to: string, site: string): string =>
			`The email address of your account at ${site} is now ${to}. We no longer send codes to this email address, and all other devices were signed out.`,
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
		const { subject, heading, intro, detail } = texts[mail.stage];
		return {
			template: notice,
			subject: subject(site),
			values: {
				heading,
				// The recipient may no longer own the account, so the new email address is masked.
				intro: intro(maskEmail(mail.newEmail), site),
				detail: detail(messages.mail.moment(mail.at), sourceText(messages, mail.device)),
				preheader: texts.preheader
			}
		};
	}
};

export const examples: Examples<ChangeNoticeMail> = {
	'Change of address requested': { ...anExample, stage: 'requested' },
	'Address changed': { ...anExample, stage: 'completed' }
};
