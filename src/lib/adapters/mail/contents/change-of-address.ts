import { maskEmail } from '#lib/domain/index.ts';
import { changeLink } from '../change-link.ts';
import { notice } from '../templates/notice.ts';
import { emailConfirmation, emailVerification } from '../templates/email-verification.ts';
import {
	lifetimeText,
	type Content,
	type MailOf,
	type Wording,
	requestText,
	sourceText
} from './content.ts';

/** Sent to the new email address, with the link that confirms it. */
export const changeLinkContent = (
	mail: MailOf<'email_change_link'>,
	{ site, origin, signInLayout, messages }: Wording
): Content => {
	const { subject, heading, intro, confirm, lives, ...rest } = messages.mail.changeLink;
	const lifetime = lifetimeText(messages, mail.lifetime);
	const url = changeLink(origin, mail.token, mail.callbackUrl);
	return {
		template: signInLayout === 'single' ? emailConfirmation : emailVerification,
		subject: subject(site),
		values: {
			heading,
			intro: intro(mail.account, site),
			confirm,
			verificationUrl: url,
			confirmationUrl: url,
			lives: lives(lifetime),
			fallback: rest.fallback,
			requested: requestText(messages, mail),
			ignore: rest.ignore(site),
			preheader: rest.preheader(lifetime)
		}
	};
};

/**
 * Sent to the current email address, so that its owner can object. It contains no link or code that
 * grants access.
 */
export const changeNoticeContent = (
	mail: MailOf<'email_change_notice'>,
	{ site, messages }: Wording
): Content => {
	const { addressChanged, moment } = messages.mail;
	const { subject, heading, intro, detail } = addressChanged[mail.stage];
	return {
		template: notice,
		subject: subject(site),
		values: {
			heading,
			// The recipient may no longer own the account, so the new email address is masked.
			intro: intro(maskEmail(mail.newEmail), site),
			detail: detail(moment(mail.at), sourceText(messages, mail.device)),
			preheader: addressChanged.preheader
		}
	};
};
