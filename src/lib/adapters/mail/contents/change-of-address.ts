import { maskEmail } from '#lib/domain/index.ts';
import { changeLink } from '../change-link.ts';
import { notice } from '../templates/notice.ts';
import { emailConfirmation, emailVerification } from '../templates/email-verification.ts';
import { lifetimeIn, type Content, type MailOf, type Wording } from './content.ts';
import { askedIn, sourceIn } from './source.ts';

/** Sent to the new email address, with the link that confirms it. */
export const changeLinkContent = (
	mail: MailOf<'email_change_link'>,
	{ site, origin, entry, messages }: Wording
): Content => {
	const { subject, heading, intro, confirm, lives, ...rest } = messages.mail.changeLink;
	const lifetime = lifetimeIn(messages, mail.lifetime);
	const url = changeLink(origin, mail.token, mail.callbackUrl);
	return {
		template: entry === 'single' ? emailConfirmation : emailVerification,
		subject: subject(site),
		values: {
			heading,
			intro: intro(mail.account, site),
			confirm,
			verificationUrl: url,
			confirmationUrl: url,
			lives: lives(lifetime),
			fallback: rest.fallback,
			asked: askedIn(messages, mail),
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
			detail: detail(moment(mail.at), sourceIn(messages, mail.device)),
			preheader: addressChanged.preheader
		}
	};
};
