import { describe, expect, test } from 'vitest';
import { mailDefinitions } from '#lib/adapters/mail/emails/list.ts';
import { mailPage, type SentMail } from '#lib/adapters/mail/preview/mail-page.ts';
import type { Email } from '#lib/domain/email.ts';
import type { Mail } from '#lib/domain/mail.ts';
import { EXAMPLE_TOKEN, exampleMails } from '../../support/mail/examples.ts';

const setting = {
	mail: { kind: 'console', codeInSubject: false, templates: [] },
	origin: 'http://localhost:3000',
	siteName: 'Postern',
	supportEmail: null,
	signInLayout: 'split'
} as const;

const sentMail = (mail: Mail, id = 1): SentMail => ({
	id,
	at: new Date('2026-11-20T21:39:54Z'),
	mail,
	delivery: 'sent'
});
const page = (show: string | null, ...sent: readonly SentMail[]): string =>
	mailPage(show, sent, setting);

describe('the page that lists emails, in development', () => {
	test.each(Object.keys(mailDefinitions))('shows both parts of %s', (kind) => {
		const html = page(kind);
		expect(html).toMatch(new RegExp(`aria-current="true">${kind}</a>`));
		expect(html).toMatch(/<main>\n<h1>[^<]*Postern[^<]*<\/h1>/);
		expect(html).toMatch(/<pre>[^<]+\n--\n[^<]*localhost:3000\n<\/pre>/);
		expect(html).toMatch(/srcdoc="[^"]+&lt;h1 class=&quot;strong&quot;/);
	});

	test('lists sent emails, each with its code or link, and shows the newest', () => {
		const { sign_in_code: code, email_change_link: change } = exampleMails;
		const html = page(null, sentMail(change, 2), sentMail(code, 1));
		expect(html.indexOf('show=sent-2')).toBeLessThan(html.indexOf('show=sent-1'));
		expect(html).toContain('<output>012345</output>');
		expect(html).toContain(
			`href="http://localhost:3000/auth/verify-email?token=${EXAMPLE_TOKEN}&amp;next=`
		);
		expect(html).toContain('<p>To grace@example.net</p>');
		expect(page('sent-1', sentMail(change, 2), sentMail(code, 1))).toContain(
			'<p>To ada@example.com</p>'
		);
	});

	test('shows the outcome of an email that was not sent', () => {
		expect(page(null, { ...sentMail(exampleMails.welcome), delivery: 'not_sent' })).toContain(
			'<strong>not_sent</strong>'
		);
		expect(page(null, sentMail(exampleMails.welcome))).not.toContain('<strong>');
	});

	test.each([null, 'sent-9', '"><script>'])('shows the first template for %j', (show) => {
		const [first] = Object.keys(mailDefinitions);
		expect(page(show)).toContain(`aria-current="true">${first}</a>`);
		expect(page(show)).not.toContain('<script');
	});

	test('L01: any character of an address is shown as text', () => {
		const to = `x'y&z<b>@example.com` as Email;
		const html = page(null, sentMail({ ...exampleMails.sign_in_code, to }));
		expect(html).toContain('x&#39;y&amp;z&lt;b&gt;@example.com');
		expect(html).not.toContain('z<b>');
	});
});
