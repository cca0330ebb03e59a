import { accountDeleted } from '../templates/account-deleted.ts';
import { notice } from '../templates/notice.ts';
import { welcome } from '../templates/welcome.ts';
import { sourceText, type Content, type MailOf, type Wording } from './content.ts';

export const welcomeContent = (mail: MailOf<'welcome'>, { site, messages }: Wording): Content => {
	const { subject, heading, intro, how, open, preheader } = messages.mail.welcome;
	return {
		template: welcome,
		subject: subject(site),
		values: { heading: heading(site), intro: intro(mail.to), how, open, preheader }
	};
};

/** Explains how to restore the account. Signing in sends the code for that. */
export const accountDeletedContent = (
	mail: MailOf<'account_deleted'>,
	{ site, messages }: Wording
): Content => {
	const { moment, accountDeleted: texts } = messages.mail;
	return {
		template: accountDeleted,
		subject: texts.subject(site),
		values: {
			heading: texts.heading,
			intro: texts.intro(mail.to, site),
			detail: texts.detail(moment(mail.at), sourceText(messages, mail.device)),
			restore: texts.restore(moment(mail.purgeAt)),
			open: texts.open,
			preheader: texts.preheader
		}
	};
};

/** For the operator, not for an account. */
export const mailCheckContent = ({ site, messages }: Wording): Content => {
	const { subject, heading, intro, detail, ignore, preheader } = messages.mail.check;
	return {
		template: notice,
		subject: subject(site),
		values: { heading, intro: intro(site), detail, object: ignore, preheader }
	};
};
