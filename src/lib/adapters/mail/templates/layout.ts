import { palette } from '#lib/brand/derived.ts';
import { FONT, footer, helpFooter } from './pieces.ts';

const { light, dark } = palette;

/**
 * Fills the preview in the inbox, so that it shows only the preheader and not the start of the
 * email.
 */
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
const frame = (content: string, end: string): string => `<!doctype html>
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
		.muted a.link { color: ${dark.accentStrong} !important; }
	}
	@media (max-width: 480px) {
		.outer { padding: 20px 12px !important; }
		.card { padding: 24px 20px !important; }
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
	<td align="{{start}}" style="padding: 0 4px 16px;">
		<table role="presentation" cellpadding="0" cellspacing="0" border="0">
		<tr>
		<td width="32"><img src="{{logo_url}}" width="32" height="32" alt="" style="display: block; width: 32px; height: 32px; border: 0;"></td>
		<td width="10" style="font-size: 1px;">&nbsp;</td>
		<td class="strong" align="{{start}}" style="font-size: 17px; line-height: 24px; font-weight: 600; color: ${light.text}; overflow-wrap: anywhere;">{{site_name}}</td>
		</tr>
		</table>
	</td>
	</tr>
	<tr>
	<td class="card" align="{{start}}" bgcolor="${light.surface}" style="padding: 32px; background-color: ${light.surface}; border: 1px solid ${light.line}; border-radius: 16px;">
${content}
	</td>
	</tr>
	<tr>
	<td class="muted" align="{{start}}" style="padding: 20px 4px 0; font-size: 13px; line-height: 20px; color: ${light.muted}; overflow-wrap: anywhere;">
		${end}
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

/** For emails whose content says where to write. */
export const layout = (content: string): string => frame(content, footer.html);

/** For all other emails. */
export const layoutWithHelp = (content: string): string => frame(content, helpFooter.html);
