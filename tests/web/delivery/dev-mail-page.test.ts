import { describe, expect, test } from 'vitest';
import * as emails from '#lib/adapters/mail/emails/list.ts';
import { exampleEmails } from '#lib/adapters/mail/preview/example-emails.ts';
import { mailBody, mailPage } from '#lib/adapters/mail/preview/mail-page.ts';
import { announce, keepSentMails, type SentMail } from '#lib/adapters/mail/preview/sent-mails.ts';
import type { Code, Email, Mail } from '#lib/domain/index.ts';
import { EXAMPLE_TOKEN, exampleMails } from '../../support/mail/examples.ts';

const setting = {
	mail: { kind: 'console', codeInSubject: false, templates: null },
	origin: 'http://localhost:3000',
	siteName: 'Postern',
	supportEmail: null,
	signInLayout: 'split'
} as const;
const now = new Date('2026-11-20T21:39:54Z');

const sentMail = (mail: Mail, id = 1): SentMail => ({ id, at: now, mail, delivery: 'sent' });
const page = (query: string, sent: readonly SentMail[] = []): string =>
	mailPage(new URLSearchParams(query), sent, setting).html;
const body = (query: string, sent: readonly SentMail[] = []): string =>
	mailBody(new URLSearchParams(query), sent, setting).html;

describe('the page that lists emails, in development', () => {
	test.each([...exampleEmails.keys()])('shows the template in both parts: %s', (name) => {
		const query = `${new URLSearchParams({ show: name })}`;
		expect(page(query)).toMatch(/<dt>Subject<\/dt><dd>[^<]*Postern[^<]*<\/dd>/);
		expect(page(query)).toMatch(/<pre>[^<]+localhost:3000\/contact\n[^<]*<\/pre>/);
		expect(body(query)).toContain('<h1 class="strong"');
	});

	test('has an example of every email in the tests, each with its own name', () => {
		const kinds = [...exampleEmails.values()].map(({ kind }) => kind);
		expect(kinds).toEqual(expect.arrayContaining(Object.keys(emails)));
	});

	test('lists sent emails, newest first, each with its code or link', () => {
		const { sign_in_code: code, email_change_link: change } = exampleMails;
		const html = page('', [sentMail(change, 2), sentMail(code, 1)]);
		expect(html.indexOf('sent-2')).toBeLessThan(html.indexOf('sent-1'));
		expect(html).toContain('<output>012345</output>');
		expect(html).toContain(
			`href="http://localhost:3000/auth/verify-email?token=${EXAMPLE_TOKEN}&amp;next=`
		);
		// The newest is shown.
		expect(html).toContain('<dd>grace@example.net</dd>');
		expect(page('show=sent-1', [sentMail(change, 2), sentMail(code, 1)])).toContain(
			'<dd>ada@example.com</dd>'
		);
	});

	test('shows the outcome of an email that was not sent', () => {
		const refused = { ...sentMail(exampleMails.welcome), delivery: 'refused' } as const;
		expect(page('', [refused])).toContain('<strong>refused</strong>');
		expect(page('', [sentMail(exampleMails.welcome)])).not.toContain('<strong>');
	});

	test('shows the first template if nothing was sent, for any request', () => {
		const [first] = exampleEmails.keys();
		for (const query of ['', 'show=sent-9', 'show=%22%3E%3Cscript%3E&width=1&scheme=x']) {
			expect(page(query)).toContain(`aria-current="true">${first}</a>`);
			expect(page(query)).toContain('width="360"');
			expect(page(query)).not.toContain('<script');
		}
	});

	test('L01: any character of an address is shown as text', () => {
		const strange = `x'y&z<b>@example.com` as Email;
		const html = page('', [sentMail({ ...exampleMails.sign_in_code, to: strange })]);
		expect(html).toContain('x&#39;y&amp;z&lt;b&gt;@example.com');
		expect(html).not.toContain('z<b>');
	});

	test('shows an email narrow or wide, light or dark, whatever the browser prefers', () => {
		expect(page('width=640&scheme=dark')).toMatch(
			/<iframe [^>]*sandbox="[^"]*"[^>]*width="640" src="[^"]*scheme=dark"/
		);
		expect(body('scheme=dark')).toContain('@media all {');
		expect(body('scheme=light')).toContain('@media not all {');
		for (const scheme of ['dark', 'light']) {
			expect(body(`scheme=${scheme}`)).toContain(`<meta name="color-scheme" content="${scheme}">`);
			expect(body(`scheme=${scheme}`)).not.toMatch(/prefers-color-scheme|light dark/);
		}
	});

	test('runs no script, neither its own nor one of an email', () => {
		const { policy } = mailBody(new URLSearchParams(), [], setting);
		expect(policy).toContain("default-src 'none'");
		expect(policy).toMatch(/sandbox (?!.*allow-(?:scripts|same-origin))/);
		expect(mailPage(new URLSearchParams(), [], setting).policy).not.toContain('script-src');
	});
});

test('the last fifty emails are kept, newest first', () => {
	const sent = keepSentMails(() => now);
	const codes = Array.from({ length: 51 }, (_, i) => `${100_000 + i}` as Code);
	for (const code of codes) {
		announce({ mail: { ...exampleMails.sign_in_code, code }, delivery: 'sent' });
	}
	expect(sent().map(({ mail }) => 'code' in mail && mail.code)).toEqual(
		codes.slice(1).toReversed()
	);
	expect(sent()[0]).toMatchObject({ id: 51, at: now, delivery: 'sent' });
});
