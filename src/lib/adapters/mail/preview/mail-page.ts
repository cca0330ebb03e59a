import { newDeviceLink } from '../devices/new-device-link.ts';
import { changeLink } from '../email-change/change-link.ts';
import type { OutgoingEmail } from '../rendered-email.ts';
import { rendererFor, type MailSetting } from '../mail-setting.ts';
import { escapeHtml } from '#lib/escape-html.ts';
import { exampleEmails } from './example-emails.ts';
import { STYLE } from './page-style.ts';
import type { SentMail } from './sent-mails.ts';

// The texts of this page are for developers. They are not in the catalogue, because the catalogue
// becomes part of builds.

export interface DevPage {
	readonly html: string;
	/** The page's content security policy. */
	readonly policy: string;
}

const WIDTHS = ['360', '640'] as const;
const SCHEMES = ['light', 'dark'] as const;

/** What to show, and how. Unknown values show the newest email or the first template. */
interface View {
	readonly show: string;
	readonly width: string;
	readonly scheme: string;
}

/** The lists of emails and templates, and all parts of the selected one. */
export const mailPage = (
	query: URLSearchParams,
	sent: readonly SentMail[],
	setting: MailSetting
): DevPage => {
	const emails = emailsByKey(sent);
	const view = viewIn(query, emails);
	const link = (change: Partial<View>, text: string, isCurrent: boolean): string =>
		`<a href="${hrefOf('/dev/mail', { ...view, ...change })}"${isCurrent ? ' aria-current="true"' : ''}>${text}</a>`;
	const sentItem = ({ id, at, mail, delivery }: SentMail): string => {
		const key = `sent-${id}`;
		const secret = secretOf(mail, setting.origin);
		const time = `<time>${at.toTimeString().slice(0, 8)}</time>`;
		const state = delivery === 'sent' ? '' : ` <strong>${delivery}</strong>`;
		const title = `${time} ${escapeHtml(mail.kind.replaceAll('_', ' '))}${state}<br>${escapeHtml(mail.to)}`;
		return `<li>${link({ show: key }, title, view.show === key)}${secret}</li>`;
	};
	const email = emails.get(view.show);
	const templates = [...exampleEmails.keys()].map(
		(name) => `<li>${link({ show: name }, escapeHtml(name), view.show === name)}</li>`
	);
	return {
		policy: "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'; base-uri 'none'",
		html: `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Emails · development</title>
<style>${STYLE}</style>
<nav>
<h1>Emails</h1>
<h2>Sent by this server, newest first</h2>
${sent.length === 0 ? '<p>None yet. Request a code, then reload this page.</p>' : `<ol>${sent.map(sentItem).join('\n')}</ol>`}
<h2>Templates</h2>
<ul>${templates.join('\n')}</ul>
</nav>
<main>
<p class="switches">
${WIDTHS.map((width) => link({ width }, `${width} px`, view.width === width)).join(' ')}
${SCHEMES.map((scheme) => link({ scheme }, scheme, view.scheme === scheme)).join(' ')}
</p>
${email === undefined ? '' : partsOf(email, view, setting)}
</main>
</html>
`
	};
};

/** The HTML part alone, for the frame in the page. */
export const mailBody = (
	query: URLSearchParams,
	sent: readonly SentMail[],
	setting: MailSetting
): DevPage => {
	const emails = emailsByKey(sent);
	const { show, scheme } = viewIn(query, emails);
	const email = emails.get(show);
	const html = email === undefined ? '' : rendererFor(setting)(email).html;
	return {
		policy: `default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; frame-ancestors 'self'; sandbox ${SANDBOX}`,
		html: inScheme(html, scheme).replace('<head>', '<head>\n<base target="_blank">')
	};
};

/** The minimum that lets a link in the email open in a new tab. */
const SANDBOX = 'allow-popups allow-popups-to-escape-sandbox';

const partsOf = (email: OutgoingEmail, view: View, setting: MailSetting): string => {
	const { subject, text } = rendererFor(setting)(email);
	return `<dl>
<dt>To</dt><dd>${escapeHtml(email.to)}</dd>
<dt>Subject</dt><dd>${escapeHtml(subject)}</dd>
</dl>
<h2>HTML</h2>
<iframe title="HTML part" sandbox="${SANDBOX}" width="${view.width}" src="${hrefOf('/dev/mail/body', view)}"></iframe>
<h2>Text</h2>
<pre>${escapeHtml(text)}</pre>`;
};

/** The code or link of the email, shown at the top for copying. */
const secretOf = (mail: OutgoingEmail, origin: string): string => {
	if ('code' in mail) return `<output>${escapeHtml(mail.code)}</output>`;
	if (!('token' in mail)) return '';
	const url = escapeHtml(
		mail.kind === 'new_device'
			? newDeviceLink(origin, mail.token)
			: changeLink(origin, mail.token, mail.callbackUrl)
	);
	return `<a class="link" href="${url}">${url}</a>`;
};

const emailsByKey = (sent: readonly SentMail[]): ReadonlyMap<string, OutgoingEmail> =>
	new Map([...sent.map(({ id, mail }) => [`sent-${id}`, mail] as const), ...exampleEmails]);

const viewIn = (query: URLSearchParams, emails: ReadonlyMap<string, OutgoingEmail>): View => {
	const among = (name: string, choices: Iterable<string>): string => {
		const [first = '', ...others] = choices;
		return others.find((choice) => choice === query.get(name)) ?? first;
	};
	return {
		show: among('show', emails.keys()),
		width: among('width', WIDTHS),
		scheme: among('scheme', SCHEMES)
	};
};

const hrefOf = (path: string, view: View): string =>
	escapeHtml(`${path}?${new URLSearchParams({ ...view })}`);

/** Renders in the selected colour scheme, whatever the browser uses. */
const inScheme = (html: string, scheme: string): string =>
	html
		.replaceAll(
			'@media (prefers-color-scheme: dark)',
			`@media ${scheme === 'dark' ? '' : 'not '}all`
		)
		.replaceAll('light dark', scheme);
