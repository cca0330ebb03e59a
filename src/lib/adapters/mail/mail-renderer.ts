import { messages as ourMessages, type Messages } from '#lib/messages/messages.ts';
import type { Config } from '#lib/config.server.ts';
import type { OutgoingMail } from './emails/mail-definition.ts';
import { definitionOf } from './emails/list.ts';
import { ownTemplates } from './own-templates.ts';
import { oneLine, renderHtml, renderSubject, renderText } from './render-template.ts';

export interface RenderedMail {
	readonly subject: string;
	readonly html: string;
	readonly text: string;
}

export type RenderMail = (mail: OutgoingMail) => RenderedMail;

export type MailerConfig = Pick<
	Config,
	'mail' | 'origin' | 'siteName' | 'supportEmail' | 'signInLayout'
>;

/**
 * Renders an email with the texts and the layout, or with the operator's template. Throws at once
 * if one of these is wrong. Apart from email addresses, an email contains nothing that a person
 * typed. A sign-in code names no email address at all. So nobody can use the site to send text of
 * their own to other people.
 */
export const mailRenderer = (
	config: MailerConfig,
	messages: Messages = ourMessages
): RenderMail => {
	const { siteName: site, origin, signInLayout, supportEmail } = config;
	const { language, direction, mail: texts } = messages;
	// Where recipients write to. Without a support email address, there is nobody to name.
	const contact = supportEmail ?? '';
	const shared = {
		language,
		direction,
		// Outlook on Windows does not support "start".
		start: direction === 'rtl' ? 'right' : 'left',
		site_name: site,
		site_url: origin,
		site_host: new URL(origin).host,
		app_url: `${origin}/app`,
		settings_url: `${origin}/settings`,
		logo_url: `${origin}/mail-logo.png`,
		help: supportEmail === null ? '' : texts.help,
		fallback: texts.fallback,
		contact,
		contact_link: contact,
		// Encoded, because `?` and `&` of an email address would begin further fields.
		contact_url:
			contact === '' ? origin : `mailto:${encodeURIComponent(contact).replaceAll('%40', '@')}`
	};
	const wording = { site, origin, signInLayout, messages };
	const renderParts: Parameters<typeof ownTemplates>[1] = (mail, custom) => {
		const written = definitionOf(mail).write(mail, wording);
		const values = { ...shared, ...written.values };
		const template = custom ?? written.template(supportEmail !== null);
		const title = custom?.subject ? renderSubject(custom.subject, values) : written.subject;
		const all = { ...values, title };
		return { title, html: renderHtml(template.html, all), text: renderText(template.text, all) };
	};
	const own = ownTemplates(config.mail.templates, renderParts);
	return (mail) => {
		const { title, ...parts } = renderParts(mail, own.get(mail.kind));
		const code = config.mail.codeInSubject ? mail.code : undefined;
		return {
			subject: oneLine(code === undefined ? title : texts.codeInSubject(code, title)),
			...parts
		};
	};
};
