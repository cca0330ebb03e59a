import { messages as ourMessages, type Messages } from '#lib/messages/messages.ts';
import { accountDeletedContent, mailCheckContent, welcomeContent } from './contents/account.ts';
import { changeLinkContent, changeNoticeContent } from './contents/change-of-address.ts';
import { codeContent } from './contents/codes.ts';
import type { Content, Wording } from './contents/content.ts';
import type { Letter, RenderLetter } from './letter.ts';
import { oneLine, renderHtml, renderText } from './render-template.ts';

/** What every email says about its sender. */
export interface MailSite {
	readonly name: string;
	readonly origin: string;
	readonly supportEmail: string | null;
	/** Whether the site has a single entry page or two. */
	readonly entry: 'split' | 'single';
	/** Whether the subject also contains the code. A locked screen may show it. */
	readonly codeInSubject?: boolean;
}

/**
 * Renders a letter with the texts and the layout. Apart from email addresses, an email contains
 * nothing that a person typed. So nobody can use the site to send text of their own to other
 * people.
 */
export const letterRenderer = (site: MailSite, messages: Messages = ourMessages): RenderLetter => {
	const language = messages.language;
	const direction = messages.direction;
	const mail = messages.mail;
	const url = new URL(site.origin);
	const shared = {
		language,
		direction,
		// Outlook on Windows does not support "start".
		start: direction === 'rtl' ? 'right' : 'left',
		site_name: site.name,
		site_url: site.origin,
		site_host: url.host,
		app_url: `${site.origin}/app`,
		logo_url: `${site.origin}/mail-logo.png`,
		support_email: site.supportEmail ?? '',
		help: site.supportEmail === null ? '' : mail.help(site.supportEmail),
		object: site.supportEmail === null ? mail.object(site.name) : mail.objectTo(site.supportEmail)
	};
	const { name, origin, entry } = site;
	const wording = { site: name, origin, entry, messages };
	return (letter) => {
		const { template, subject, values } = contentOf(letter, wording);
		const all = { ...shared, ...values, title: subject };
		const code = site.codeInSubject && 'code' in letter ? letter.code : null;
		return {
			subject: oneLine(code === null ? subject : mail.codeInSubject(code, subject)),
			html: renderHtml(template.html, all),
			text: renderText(template.text, all)
		};
	};
};

const contentOf = (letter: Letter, wording: Wording): Content => {
	switch (letter.kind) {
		case 'sign_in_code':
		case 'email_verification_code':
		case 'email_change_code':
		case 'reauthentication_code':
			return codeContent(letter, wording);
		case 'email_change_link':
			return changeLinkContent(letter, wording);
		case 'email_change_notice':
			return changeNoticeContent(letter, wording);
		case 'account_deleted':
			return accountDeletedContent(letter, wording);
		case 'welcome':
			return welcomeContent(letter, wording);
		case 'mail_check':
			return mailCheckContent(wording);
	}
};
