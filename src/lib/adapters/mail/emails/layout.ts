import { palette } from '#lib/brand/derived.ts';
import type { MailTemplate } from '../render-template.ts';

const { light, dark } = palette;

/** A part of an email, as HTML and as text. Its words are the values of placeholders. */
interface Block {
	readonly html: string;
	readonly text: string;
	/** HTML for the end of the email. */
	readonly end?: string;
}

const FONT = `-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif`;
const CODE_FONT = `'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, 'Courier New', monospace`;
const TABLE = 'table role="presentation" cellpadding="0" cellspacing="0" border="0"';
const WRAP = 'overflow-wrap: anywhere;';

const block = (html: string, text: string): Block => ({ html: `\t\t${html}`, text });

const title = block(
	`<h1 class="strong" style="margin: 0 0 12px; font-size: 22px; line-height: 30px; font-weight: 600; color: ${light.text}; ${WRAP}">{{title}}</h1>`,
	'{{title}}'
);

export const paragraph = (text: string, space = '16px', look: 'text' | 'muted' = 'text'): Block =>
	block(
		`<p class="${look}" style="margin: 0 0 ${space}; font-size: 16px; line-height: 25px; color: ${light[look]}; ${WRAP}">${text}</p>`,
		text
	);

/** Facts, each on a line of its own. On a phone a line can wrap, so space separates them. */
export const lines = (...facts: readonly string[]): Block => ({
	html: facts
		.map((fact, at) => paragraph(fact, at < facts.length - 1 ? '6px' : '16px', 'muted').html)
		.join('\n'),
	text: facts.join('\n')
});

export const linked = (text: string, url: string, label: string): Block => ({
	html: paragraph(
		`${text} <a href="${url}" class="link" style="color: ${light.accent};">${label}</a>.`
	).html,
	text: `${text} ${label}:\n${url}`
});

export const stressed = (text: string, before = ''): Block =>
	block(paragraph(`${before}<strong>${text}</strong>`).html.trim(), before + text);

/**
 * The code is a single word, so that a double click or long press selects exactly the code. It is
 * in a table cell because Word gives a paragraph neither padding nor a background.
 */
export const code = (text: string): Block =>
	block(
		`<${TABLE} width="100%" style="margin: 4px 0 20px;">
		<tr>
		<td class="code" dir="ltr" align="center" bgcolor="${light.page}" style="padding: 18px 8px; font-family: ${CODE_FONT}; font-size: 34px; line-height: 42px; font-weight: 600; letter-spacing: 4px; color: ${light.accent}; background-color: ${light.page}; border: 1px solid ${light.line}; border-radius: 10px; -webkit-user-select: all; user-select: all;">${text}</td>
		</tr>
		</table>`,
		text
	);

/** Word ignores padding on a link, so for Word the cell has it. */
export const button = (url: string, label: string): Block =>
	block(
		`<${TABLE} style="margin: 4px 0 20px;">
		<tr>
		<td class="button" align="center" bgcolor="${light.accent}" style="border-radius: 10px; background-color: ${light.accent}; mso-padding-alt: 12px 24px;"><a href="${url}" class="label" style="display: inline-block; padding: 12px 24px; font-size: 16px; line-height: 22px; font-weight: 600; color: ${light.onAccent}; text-decoration: none;">${label}</a></td>
		</tr>
		</table>`,
		`${label}:\n${url}`
	);

/**
 * A button. The end of the email shows its URL, for mail programs without buttons and for people who
 * check a link first.
 */
export const link = (url: string, label: string): Block => {
	const { html, text } = button(url, label);
	const address = `<p class="muted" style="margin: 0 0 16px; font-size: 13px; line-height: 20px; color: ${light.muted}; ${WRAP} word-break: break-word;">{{fallback}} <a href="${url}" class="link" style="color: ${light.accent};">${url}</a></p>`;
	return { html, text, end: `\t\t${address}` };
};

export const advice = (text: string): Block =>
	block(
		`<p class="muted line" style="margin: 24px 0 16px; padding: 20px 0 0; border-top: 1px solid ${light.line}; font-size: 14px; line-height: 22px; color: ${light.muted}; ${WRAP}">${text}</p>`,
		text
	);

/** Without a support email address, the foot does not say where to write. */
export type Letter = (hasContact: boolean) => MailTemplate;

export const letter = (...content: readonly Block[]): Letter => {
	const home = `<a href="{{site_url}}" style="color: ${light.muted};">{{site_host}}</a>`;
	const contact = `{{help}} <a href="{{contact_url}}" style="color: ${light.muted};">{{contact_link}}</a><br>\n\t\t`;
	const blocks = [title, ...content];
	const body = [...blocks.map(({ html }) => html), ...blocks.flatMap(({ end = [] }) => end)];
	return (hasContact) => {
		const foot = `--\n{{site_name}}\n{{site_url}}${hasContact ? '\n{{help}} {{contact}}' : ''}`;
		return {
			html: frame(body.join('\n'), (hasContact ? contact : '') + home),
			text: [...blocks.map(({ text }) => text), foot].join('\n\n')
		};
	};
};

/** Fills the preview in the inbox, so that it does not show the start of the email. */
const NOTHING_MORE = '&#847;&zwnj;&nbsp;'.repeat(90);

/**
 * The frame of every email; restyle it here. Light colours are inline, because some mail programs
 * read nothing else. Dark colours are classes in the style sheet. All of them are the
 * brand's (src/lib/brand).
 *
 * Mail programs support only old HTML: tables, widths and inline styles; no flex, grid, SVG or
 * script. `[if mso]` blocks are for Outlook on Windows, which renders with Word. It ignores
 * max-width, and uses Times if it does not know the first font. Language and direction are set
 * twice, because webmail removes the outer elements.
 */
const frame = (content: string, foot: string): string => `<!doctype html>
<html lang="{{language}}" dir="{{direction}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="x-apple-disable-message-reformatting">
<title>{{title}}</title>
<!--[if mso]>
<style>
	body, table, td, h1, p, a { font-family: 'Segoe UI', Arial, sans-serif !important; }
	td.code { font-family: Consolas, 'Courier New', monospace !important; }
</style>
<![endif]-->
<style>
	:root { color-scheme: light dark; supported-color-schemes: light dark; }
	/* Dates and addresses that a mail program turns into links keep their colour. */
	a[x-apple-data-detectors], a:not([class]) { color: inherit !important; }
	@media (prefers-color-scheme: dark) {
		.page { background-color: ${dark.page} !important; }
		.card { background-color: ${dark.surface} !important; border-color: ${dark.line} !important; }
		.strong, .text { color: ${dark.text} !important; }
		.muted, .muted a { color: ${dark.muted} !important; }
		.code { background-color: ${dark.page} !important; border-color: ${dark.line} !important; color: ${dark.accentStrong} !important; }
		.line { border-color: ${dark.line} !important; }
		.button { background-color: ${dark.accent} !important; }
		.button a { color: ${dark.onAccent} !important; }
		.card a.link { color: ${dark.accentStrong} !important; }
	}
	@media (max-width: 480px) {
		.outer { padding: 20px 12px !important; }
		.card { padding: 24px 20px 8px !important; }
	}
</style>
</head>
<body class="page" bgcolor="${light.page}" style="margin: 0; padding: 0; background-color: ${light.page}; -webkit-text-size-adjust: 100%;">
<div style="display: none; max-height: 0; max-width: 0; overflow: hidden; opacity: 0; mso-hide: all; font-size: 1px; line-height: 1px;">{{preheader}}${NOTHING_MORE}</div>
<div role="article" aria-roledescription="email" aria-label="{{title}}" lang="{{language}}" dir="{{direction}}">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" bgcolor="${light.page}" style="background-color: ${light.page};">
<tr>
<td class="outer" align="center" style="padding: 40px 16px;">
	<!--[if mso]><table role="presentation" width="560" align="center" cellpadding="0" cellspacing="0" border="0"><tr><td><![endif]-->
	<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 560px; font-family: ${FONT};">
	<tr>
	<td align="{{start}}" style="padding: 0 0 16px;">
		<table role="presentation" cellpadding="0" cellspacing="0" border="0">
		<tr>
		<td width="40"><img src="{{logo_url}}" width="40" height="40" alt="" style="display: block; width: 40px; height: 40px; border: 0; border-radius: 8px;"></td>
		<td width="10" style="font-size: 1px;">&nbsp;</td>
		<td class="strong" align="{{start}}" style="font-size: 17px; line-height: 24px; font-weight: 600; color: ${light.text}; overflow-wrap: anywhere;">{{site_name}}</td>
		</tr>
		</table>
	</td>
	</tr>
	<tr>
	<td class="card" align="{{start}}" bgcolor="${light.surface}" style="padding: 32px 32px 16px; background-color: ${light.surface}; border: 1px solid ${light.line}; border-radius: 16px;">
${content}
	</td>
	</tr>
	<tr>
	<td class="muted" align="{{start}}" style="padding: 20px 0 0; font-size: 13px; line-height: 20px; color: ${light.muted}; overflow-wrap: anywhere;">
		${foot}
	</td>
	</tr>
	</table>
	<!--[if mso]></td></tr></table><![endif]-->
</td>
</tr>
</table>
</div>
</body>
</html>
`;
