import { maskEmail } from '#lib/domain/email.ts';
import type { ChangeNoticeMail } from '#lib/domain/email-change/change-notices.ts';
import { notice } from '../../templates/notice.ts';
import { example, sourceText, type EmailKind } from '../email-kind.ts';

const texts = {
	requested: {
		subject: (site: string): string => `A change of your address at ${site} was asked for`,
		heading: 'Address change requested',
		intro: (to: string, site: string): string =>
			`Somebody who is signed in to your account at ${site} asked to change its address to ${to}. Nothing changes unless the new address is confirmed.`,
		detail: (at: string, source: string): string => `Asked for on ${at} from ${source}.`
	},
	completed: {
		subject: (site: string): string => `Your address at ${site} was changed`,
		heading: 'Your address was changed',
		intro: (to: string, site: string): string =>
			`Your account at ${site} now belongs to ${to}. Codes no longer come to this address, and all other devices were signed out.`,
		detail: (at: string, source: string): string => `Changed on ${at} from ${source}.`
	},
	preheader: 'If this was not you, object at once.'
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
	},
	examples: {
		'Change of address asked for': { ...anExample, stage: 'requested' },
		'Address changed': { ...anExample, stage: 'completed' }
	}
};
