/**
 * The frame of every mail. Restyle it here: light colours are inline, because some mail programs
 * read nothing else; dark ones are the classes in the style sheet. Mail programs know old HTML
 * only: tables, widths, inline styles; no flex, no grid, no SVG, no script.
 */
export const layout = (content: string): string => `<!doctype html>
<html lang="{{language}}" dir="{{direction}}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<meta name="x-apple-disable-message-reformatting">
<title>{{subject}}</title>
<style>
	:root { color-scheme: light dark; supported-color-schemes: light dark; }
	@media (prefers-color-scheme: dark) {
		.page { background-color: #0e1311 !important; }
		.card { background-color: #161d1a !important; border-color: #2b3631 !important; }
		.strong { color: #e7eeea !important; }
		.text { color: #d3ddd8 !important; }
		.muted, .muted a { color: #a2b0a9 !important; }
		.code { background-color: #0e1311 !important; border-color: #2b3631 !important; color: #8be2c5 !important; }
		.line { border-color: #2b3631 !important; }
		.button { background-color: #67d1ae !important; }
		.button a { color: #06251b !important; }
		.muted a.link { color: #8be2c5 !important; }
	}
	@media (max-width: 480px) {
		.outer { padding: 20px 12px !important; }
		.card { padding: 24px 20px !important; }
	}
</style>
</head>
<body class="page" style="margin: 0; padding: 0; background-color: #f3f5f3; -webkit-text-size-adjust: 100%;">
<div style="display: none; max-height: 0; max-width: 0; overflow: hidden; opacity: 0; mso-hide: all; font-size: 1px; line-height: 1px;">{{preheader}}${'&#847;&zwnj;&nbsp;'.repeat(90)}</div>
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" border="0" style="background-color: #f3f5f3;">
<tr>
<td class="outer" align="center" style="padding: 40px 16px;">
	<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width: 560px; text-align: start; font-family: ${FONT};">
	<tr>
	<td style="padding: 0 4px 16px;">
		<table role="presentation" cellpadding="0" cellspacing="0" border="0">
		<tr>
		<td style="width: 32px;"><img src="{{logo_url}}" width="32" height="32" alt="" style="display: block; width: 32px; height: 32px; border: 0;"></td>
		<td class="strong" style="padding-inline-start: 10px; font-size: 17px; line-height: 24px; font-weight: 600; color: #17211d; overflow-wrap: anywhere;">{{site_name}}</td>
		</tr>
		</table>
	</td>
	</tr>
	<tr>
	<td class="card" style="padding: 32px; background-color: #ffffff; border: 1px solid #d9dfdb; border-radius: 12px;">
${content}
	</td>
	</tr>
	<tr>
	<td class="muted" style="padding: 20px 4px 0; font-size: 13px; line-height: 20px; color: #53605a; overflow-wrap: anywhere;">
		{{help}} <a href="{{site_url}}" class="muted" style="color: #53605a;">{{site_host}}</a>
	</td>
	</tr>
	</table>
</td>
</tr>
</table>
</body>
</html>
`;

const FONT = `-apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif`;

const TEXT =
	'margin: 0 0 16px; font-size: 16px; line-height: 25px; color: #2c3833; overflow-wrap: anywhere;';

/** The pieces mails are made of. */
export const heading = (text: string): string =>
	`		<h1 class="strong" style="margin: 0 0 12px; font-size: 22px; line-height: 30px; font-weight: 650; color: #17211d;">${text}</h1>`;

export const paragraph = (text: string): string => `		<p class="text" style="${TEXT}">${text}</p>`;

/** The sentence that must not be missed; it may be the last one. */
export const emphasis = (text: string): string =>
	`		<p class="strong" style="margin: 0; font-size: 16px; line-height: 25px; font-weight: 600; color: #17211d; overflow-wrap: anywhere;">${text}</p>`;

/** One token, so that a double click or a long press takes all of it and nothing else. */
export const code = (text: string): string =>
	`		<p class="code" dir="ltr" style="margin: 20px 0; padding: 18px 8px; text-align: center; font-family: 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, 'Courier New', monospace; font-size: 34px; line-height: 42px; font-weight: 600; letter-spacing: 4px; color: #0d604b; background-color: #f3f5f3; border: 1px solid #d9dfdb; border-radius: 10px; -webkit-user-select: all; user-select: all;">${text}</p>`;

export const button = (url: string, text: string): string =>
	`		<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin: 8px 0 24px;">
		<tr>
		<td class="button" style="border-radius: 10px; background-color: #0d604b;"><a href="${url}" style="display: inline-block; padding: 12px 24px; font-size: 16px; line-height: 22px; font-weight: 600; color: #ffffff; text-decoration: none;">${text}</a></td>
		</tr>
		</table>`;

/** The address behind a button, for programs that show no buttons and people who look first. */
export const address = (url: string): string =>
	`		<p class="muted" style="margin: 0 0 16px; font-size: 13px; line-height: 20px; color: #53605a; overflow-wrap: anywhere; word-break: break-word;"><a href="${url}" class="link" style="color: #0d604b;">${url}</a></p>`;

export const advice = (text: string): string =>
	`		<p class="muted line" style="margin: 24px 0 0; padding: 20px 0 0; border-top: 1px solid #d9dfdb; font-size: 14px; line-height: 22px; color: #53605a; overflow-wrap: anywhere;">${text}</p>`;

/** The end of every text part. */
export const signature = '--\n{{site_name}}\n{{site_url}}\n{{help}}';
