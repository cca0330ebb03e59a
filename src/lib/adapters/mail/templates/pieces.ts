import { palette } from '#lib/brand/derived.ts';

export const FONT = `-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif`;

const CODE_FONT = `'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, 'Courier New', monospace`;
const { light } = palette;
const TABLE = 'table role="presentation" cellpadding="0" cellspacing="0" border="0"';
const WRAP = 'overflow-wrap: anywhere;';

/** The elements of an email, inside the frame of layout.ts. */
const heading = (text: string): string =>
	`		<h1 class="strong" style="margin: 0 0 12px; font-size: 22px; line-height: 30px; font-weight: 600; color: ${light.text}; ${WRAP}">${text}</h1>`;

/** The subject, as the heading of both parts. */
export const title = { html: heading('{{title}}'), text: '{{title}}' };

export const paragraph = (text: string): string =>
	`		<p class="text" style="margin: 0 0 16px; font-size: 16px; line-height: 25px; color: ${light.text}; ${WRAP}">${text}</p>`;

/** A sentence that readers must not miss. No bottom margin, because it may be the last element. */
const emphasis = (text: string): string =>
	`		<p class="strong" style="margin: 0; font-size: 16px; line-height: 25px; font-weight: 600; color: ${light.text}; ${WRAP}">${text}</p>`;

/**
 * The code is a single word, so that a double click or long press selects exactly the code. It is
 * in a table cell because Word gives a paragraph neither padding nor a background.
 */
export const code = (text: string): string =>
	`		<${TABLE} width="100%" style="margin: 4px 0 20px;">
		<tr>
		<td class="code" dir="ltr" align="center" bgcolor="${light.page}" style="padding: 18px 8px; font-family: ${CODE_FONT}; font-size: 34px; line-height: 42px; font-weight: 600; letter-spacing: 4px; color: ${light.accent}; background-color: ${light.page}; border: 1px solid ${light.line}; border-radius: 10px; -webkit-user-select: all; user-select: all;">${text}</td>
		</tr>
		</table>`;

/** Word ignores padding on a link, so for Word the cell has it. */
export const button = (url: string, text: string): string =>
	`		<${TABLE} style="margin: 8px 0 24px;">
		<tr>
		<td class="button" align="center" bgcolor="${light.accent}" style="border-radius: 10px; background-color: ${light.accent}; mso-padding-alt: 12px 24px;"><a href="${url}" class="label" style="display: inline-block; padding: 12px 24px; font-size: 16px; line-height: 22px; font-weight: 600; color: ${light.onAccent}; text-decoration: none;">${text}</a></td>
		</tr>
		</table>`;

/**
 * The button's URL as text, for programs that show no buttons and for people who check a link
 * first.
 */
export const address = (intro: string, url: string): string =>
	`		<p class="muted" style="margin: 0 0 16px; font-size: 13px; line-height: 20px; color: ${light.muted}; ${WRAP} word-break: break-word;">${intro} <a href="${url}" class="link" style="color: ${light.accent};">${url}</a></p>`;

export const advice = (text: string): string =>
	`		<p class="muted line" style="margin: 24px 0 0; padding: 20px 0 0; border-top: 1px solid ${light.line}; font-size: 14px; line-height: 22px; color: ${light.muted}; ${WRAP}">${text}</p>`;

/** Where to write or go. It has the colour of the text around it. */
const contact = (colour: string): string =>
	`<a href="{{contact_url}}" style="color: ${colour};">{{contact_link}}</a>`;

/** What to do about something that the recipient did not do, and where to report it. */
export const objection = {
	html: emphasis(`{{object}} ${contact(light.text)}`),
	mild: advice(`{{object}} ${contact(light.muted)}`),
	text: '{{object}} {{contact}}'
};

const home = `<a href="{{site_url}}" style="color: ${light.muted};">{{site_host}}</a>`;
const about = '--\n{{reason}}\n{{site_name}}\n{{site_url}}';

/** The end of emails whose content says where to write. */
export const footer = { html: `{{reason}}<br>\n\t\t${home}`, text: about };

/** The end of all other emails. */
export const helpFooter = {
	html: `{{reason}}<br>\n\t\t{{help}} ${contact(light.muted)}<br>\n\t\t${home}`,
	text: `${about}\n{{help}} {{contact}}`
};
