import { messages as ourMessages, type Messages } from '#lib/messages/messages.ts';
import type { TemplateFile } from '#lib/config/mail-templates.ts';
import type { SignInLayout } from '#lib/sign-in-layouts.ts';
import type { Placeholders } from './own-templates/check-template.ts';
import { ownTemplates } from './own-templates/own-templates.ts';
import { sampleMail } from './own-templates/sample-mail.ts';
import { kindOf, type OutgoingEmail, type RenderEmail } from './rendered-email.ts';
import { oneLine, renderHtml, renderText, type TemplateValues } from './render-template.ts';

/** What every email says about its sender. */
export interface MailSite {
	readonly name: string;
	readonly origin: string;
	readonly supportEmail: string | null;
	/** Whether the site has a single entry page or two. */
	readonly signInLayout: SignInLayout;
	/** Whether the subject also contains the code. A locked screen may show it. */
	readonly codeInSubject?: boolean;
	/** The operator's own templates, which replace ours. */
	readonly templates?: readonly TemplateFile[];
}

/**
 * Renders an email with the texts and the layout, or with the operator's template. Throws at once
 * if one of these is wrong. Apart from email addresses, an email contains nothing that a person
 * typed. Code emails do not contain the address. So nobody can use the site to send text of their own
 * to other people.
 */
export const emailRenderer = (site: MailSite, messages: Messages = ourMessages): RenderEmail => {
	const language = messages.language;
	const direction = messages.direction;
	const texts = messages.mail;
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
		help: texts.help,
		object: texts.object,
		...contactOf(site)
	};
	const { name, origin, signInLayout } = site;
	const wording = { site: name, origin, signInLayout, messages };
	const placeholdersOf = (kind: OutgoingEmail['kind']): Placeholders => {
		const mail = sampleMail(kind);
		return {
			shared: [...Object.keys(shared), 'reason'],
			own: kindOf(mail).write(mail, wording).values
		};
	};
	const own = ownTemplates(site.templates ?? [], placeholdersOf);
	return (mail) => {
		const ours = kindOf(mail).write(mail, wording);
		const values = { ...shared, ...ours.values, reason: ours.reason };
		const { template, subject } = own.get(mail.kind)?.(ours, values) ?? ours;
		const all = { ...values, title: subject };
		const code = site.codeInSubject && 'code' in mail ? mail.code : null;
		return {
			subject: oneLine(code === null ? subject : texts.codeInSubject(code, subject)),
			html: renderHtml(template.html, all),
			text: renderText(template.text, all)
		};
	};
};

/** Where recipients write to. Without a support email address, the site has a page for that. */
const contactOf = ({ supportEmail, origin }: MailSite): TemplateValues => {
	if (supportEmail !== null) {
		return {
			contact: supportEmail,
			contact_link: supportEmail,
			contact_url: mailtoOf(supportEmail)
		};
	}
	const page = `${origin}/contact`;
	return { contact: page, contact_link: `${new URL(origin).host}/contact`, contact_url: page };
};

/** Encoded, because `?` and `&` of an email address would begin further fields. */
const mailtoOf = (email: string): string =>
	`mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
