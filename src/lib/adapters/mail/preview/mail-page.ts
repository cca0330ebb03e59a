import type { Delivery } from '#lib/domain/mail.ts';
import { escapeHtml } from '#lib/escape-html.ts';
import type { OutgoingMail } from '../emails/mail-definition.ts';
import { mailDefinitions, examplesOf, definitionOf } from '../emails/list.ts';
import { mailRenderer, type MailerConfig } from '../mail-renderer.ts';

// The texts of this page are for developers. They are not in the catalogue, because the catalogue
// becomes part of builds.

export interface SentMail {
	/** Numbered from one, in the order of sending. */
	readonly id: number;
	readonly at: Date;
	readonly mail: OutgoingMail;
	readonly delivery: Delivery;
}

/** Runs no script, neither its own nor one of an email. */
export const POLICY =
	"default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; base-uri 'none'";

const STYLE = `
	:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
	body { display: flex; flex-wrap: wrap; gap: 2rem; overflow-wrap: anywhere; }
	h1 { font-size: 1.2rem; }
	nav { flex: 1 20rem; }
	main { flex: 2 40rem; min-width: 0; }
	ul { list-style: none; padding: 0; }
	[aria-current] { font-weight: 600; }
	output { display: block; font-family: ui-monospace, monospace; user-select: all; }
	iframe { width: 640px; height: 46rem; max-width: 100%; border: 1px solid GrayText; resize: both; }
	pre { white-space: pre-wrap; }
`;

const samples: ReadonlyMap<string, OutgoingMail> = new Map(
	(Object.keys(mailDefinitions) as OutgoingMail['kind'][]).flatMap((kind) =>
		examplesOf(kind).map((mail, at) => [at === 0 ? kind : `${kind} (${at + 1})`, mail] as const)
	)
);

/** The lists of sent emails and of all kinds, and both parts of the selected one. */
export const mailPage = (
	selected: string | null,
	sent: readonly SentMail[],
	setting: MailerConfig
): string => {
	const shown = new Map([...sent.map(({ id, mail }) => [`sent-${id}`, mail] as const), ...samples]);
	const [first = ''] = shown.keys();
	const current = shown.has(selected ?? '') ? selected : first;
	const link = (show: string, title: string): string =>
		`<a href="/dev/mail?${escapeHtml(`${new URLSearchParams({ show })}`)}"${show === current ? ' aria-current="true"' : ''}>${title}</a>`;
	const sentItem = ({ id, at, mail, delivery }: SentMail): string => {
		const state = delivery === 'sent' ? '' : ` <strong>${delivery}</strong>`;
		const title = `${at.toTimeString().slice(0, 8)} ${mail.kind} to ${escapeHtml(mail.to)}`;
		// The code or link, for copying.
		const detail = escapeHtml(definitionOf(mail).detail?.(mail, setting.origin) ?? '');
		const shown = detail.startsWith('http') ? `<a href="${detail}">${detail}</a>` : detail;
		return `<li>${link(`sent-${id}`, title)}${state}<output>${shown}</output></li>`;
	};
	const email = shown.get(current ?? '') as OutgoingMail;
	const { subject, html, text } = mailRenderer(setting)(email);
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Emails · development</title>
<style>${STYLE}</style>
<nav>
<h1>Sent by this server, newest first</h1>
${sent.length === 0 ? '<p>None yet. Request a code, then reload this page.</p>' : `<ul>${sent.map(sentItem).join('\n')}</ul>`}
<h1>Templates</h1>
<ul>${[...samples.keys()].map((name) => `<li>${link(name, name)}</li>`).join('\n')}</ul>
</nav>
<main>
<h1>${escapeHtml(subject)}</h1>
<p>To ${escapeHtml(email.to)}</p>
<iframe title="HTML part" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${escapeHtml(html.replace('<head>', '<head><base target="_blank">'))}"></iframe>
<pre>${escapeHtml(text)}</pre>
</main>
</html>
`;
};
