export const FONT = `-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif`;

const CODE_FONT = `'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, 'Courier New', monospace`;
const TABLE = 'table role="presentation" cellpadding="0" cellspacing="0" border="0"';
const WRAP = 'overflow-wrap: anywhere;';

/** The elements of an email, inside the frame of layout.ts. */
const heading = (text: string): string =>
	`		<h1 class="strong" style="margin: 0 0 12px; font-size: 22px; line-height: 30px; font-weight: 600; color: #17211d; ${WRAP}">${text}</h1>`;

/** The subject, as the heading of both parts. */
export const title = { html: heading('{{title}}'), text: '{{title}}' };

export const paragraph = (text: string): string =>
	`		<p class="text" style="margin: 0 0 16px; font-size: 16px; line-height: 25px; color: #17211d; ${WRAP}">${text}</p>`;

/** A sentence that readers must not miss. No bottom margin, because it may be the last element. */
const emphasis = (text: string): string =>
	`		<p class="strong" style="margin: 0; font-size: 16px; line-height: 25px; font-weight: 600; color: #17211d; ${WRAP}">${text}</p>`;

/**
 * The code is a single word, so that a double click or long press selects exactly the code. It is
 * in a table cell because Word gives a paragraph neither padding nor a background.
 */
export const code = (text: string): string =>
	`		<${TABLE} width="100%" style="margin: 4px 0 20px;">
		<tr>
		<td class="code" dir="ltr" align="center" bgcolor="#f3f5f3" style="padding: 18px 8px; font-family: ${CODE_FONT}; font-size: 34px; line-height: 42px; font-weight: 600; letter-spacing: 4px; color: #0d604b; background-color: #f3f5f3; border: 1px solid #d9dfdb; border-radius: 10px; -webkit-user-select: all; user-select: all;">${text}</td>
		</tr>
		</table>`;

/** Word ignores padding on a link, so for Word the cell has it. */
export const button = (url: string, text: string): string =>
	`		<${TABLE} style="margin: 8px 0 24px;">
		<tr>
		<td class="button" align="center" bgcolor="#0d604b" style="border-radius: 10px; background-color: #0d604b; mso-padding-alt: 12px 24px;"><a href="${url}" class="label" style="display: inline-block; padding: 12px 24px; font-size: 16px; line-height: 22px; font-weight: 600; color: #ffffff; text-decoration: none;">${text}</a></td>
		</tr>
		</table>`;

/**
 * The button's URL as text, for programs that show no buttons and for people who check a link
 * first.
 */
export const address = (intro: string, url: string): string =>
	`		<p class="muted" style="margin: 0 0 16px; font-size: 13px; line-height: 20px; color: #53605a; ${WRAP} word-break: break-word;">${intro} <a href="${url}" class="link" style="color: #0d604b;">${url}</a></p>`;

export const advice = (text: string): string =>
	`		<p class="muted line" style="margin: 24px 0 0; padding: 20px 0 0; border-top: 1px solid #d9dfdb; font-size: 14px; line-height: 22px; color: #53605a; ${WRAP}">${text}</p>`;

/** Where to write or go. It has the colour of the text around it. */
const contact = (colour: string): string =>
	`<a href="{{contact_url}}" style="color: ${colour};">{{contact_link}}</a>`;

/** What to do about something that the recipient did not do, and where to report it. */
export const objection = {
	html: emphasis(`{{object}} ${contact('#17211d')}`),
	mild: advice(`{{object}} ${contact('#53605a')}`),
	text: '{{object}} {{contact}}'
};

/** The end of every HTML part. */
export const footer = `{{help}} ${contact('#53605a')}<br>
		<a href="{{site_url}}" style="color: #53605a;">{{site_host}}</a>`;

/** The end of every text part. */
export const signature = '--\n{{site_name}}\n{{site_url}}\n{{help}} {{contact}}';
