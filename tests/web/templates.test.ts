import { describe, expect, test } from 'vitest';
import { letterRenderer, type MailSite } from '#lib/adapters/mail/letter-renderer.ts';
import type { Letter } from '#lib/adapters/mail/letter.ts';
import { renderHtml, renderText } from '#lib/adapters/mail/render-template.ts';
import type { Code, Email } from '#lib/domain/index.ts';

const to = 'ada@example.com' as Email;
const site: MailSite = {
	name: 'Postern',
	origin: 'https://auth.example.org',
	supportEmail: 'help@example.org'
};
const LINK = 'https://auth.example.org/auth/verify-email?token=a-b_c&x=%22';

const letters: readonly [string, Letter][] = [
	['code', { kind: 'sign_in_code', to, code: '012345' as Code, lifetime: 600 }],
	['welcome', { kind: 'welcome', to }],
	['sign-up link', { kind: 'email_verification', to, url: LINK, lifetime: 3600, account: null }],
	[
		'change link',
		{
			kind: 'email_verification',
			to: 'new@example.net' as Email,
			url: LINK,
			lifetime: 3600,
			account: to
		}
	],
	...(['requested', 'completed'] as const).map((stage): [string, Letter] => [
		`notice of a change ${stage}`,
		{
			kind: 'address_changed',
			to,
			newEmail: 'grace@example.net' as Email,
			stage,
			at: new Date('2026-11-20T21:39:54Z')
		}
	]),
	['mail check', { kind: 'mail_check', to }]
];
const letter = (name: string): Letter => {
	const found = letters.find(([one]) => one === name);
	if (!found) throw new Error(name);
	return found[1];
};
const preheaderOf = (html: string): string =>
	/<div style="display: none[^>]*>([^<]*)</.exec(html)?.[1] ?? '';

describe('the renderer', () => {
	test('puts values in place, escaped in HTML and as they are in text', () => {
		const values = { a: `<b>&"'`, b_2: 'x' };
		expect(renderHtml('{{a}} {{ b_2 }} {{a}}', values)).toBe(
			'&lt;b&gt;&amp;&quot;&#39; x &lt;b&gt;&amp;&quot;&#39;'
		);
		expect(renderText('{{a}}', values)).toBe(`<b>&"'\n`);
	});

	test('a placeholder without a value is a mistake, names of objects included', () => {
		for (const name of ['nobody', 'toString', '__proto__', 'constructor', '']) {
			expect(() => renderHtml(`x {{${name}}}`, { a: '1' })).toThrow(`{{${name}}}`);
		}
	});

	test('what a value holds is never expanded', () => {
		expect(renderText('{{a}}{{b}}', { a: '{{b}}', b: '{{a}} $& $1' })).toBe('{{b}}{{a}} $& $1\n');
		expect(renderText('{{a}}b}}', { a: '{{', b: 'no' })).toBe('{{b}}\n');
	});

	test('a value stays on its line and turns no reading direction', () => {
		expect(renderText('a {{a}} b', { a: 'x\r\n\0\u2028\u0085y\u202Ez\u2066' })).toBe('a x yz b\n');
	});

	test('a value that is empty leaves one blank line, not three', () => {
		expect(renderText('a\n\n{{a}}\n\nb\n{{a}}', { a: '' })).toBe('a\n\nb\n');
	});
});

describe.each(letters)('the %s mail', (_, one) => {
	const { subject, html, text } = letterRenderer(site)(one);

	test('has every value, in both parts, and says which site it is from', () => {
		expect(subject).toContain('Postern');
		for (const part of [html, text]) {
			expect(part).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
			expect(part).toContain('Postern');
			expect(part).toContain('https://auth.example.org');
			expect(part).toContain('help@example.org');
		}
	});

	test('A22: shows neither code nor link in subject, title and preheader', () => {
		for (const shown of [
			subject,
			preheaderOf(html),
			/<title>(.*)<\/title>/.exec(html)?.[1] ?? ''
		]) {
			expect(shown).not.toBe('');
			expect(shown).not.toMatch(/\d{6}|token/);
		}
	});

	test('L05: every link and picture is on the host of the site', () => {
		const urls = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url);
		expect(urls.length).toBeGreaterThan(1);
		for (const url of urls) expect(url).toMatch(/^https:\/\/auth\.example\.org(?:\/|$)/);
	});

	test('has a text part that stands alone: no markup, no run of blank lines', () => {
		expect(text).not.toMatch(/<[a-z/]|&(?:[a-z]+|#\d+);/i);
		expect(text).not.toMatch(/\n{3}|[ \t]\n/);
		expect(text.endsWith('\n')).toBe(true);
	});

	test('fits mail programs: well formed, no script, no more than Gmail shows', () => {
		for (const tag of ['table', 'tr', 'td', 'p', 'h1', 'a', 'div', 'style', 'body', 'html']) {
			const opened = html.match(new RegExp(`<${tag}[\\s>]`, 'g'))?.length ?? 0;
			expect(html.match(new RegExp(`</${tag}>`, 'g'))?.length ?? 0, tag).toBe(opened);
		}
		expect(html).not.toMatch(/<script|<svg|javascript:|display:\s*(?:flex|grid)/i);
		expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
		expect(Buffer.byteLength(html)).toBeLessThan(100_000);
	});

	test('does without a support address', () => {
		const silent = letterRenderer({ ...site, supportEmail: null })(one);
		expect(silent.html + silent.text).not.toMatch(/help@|Write to|\n{3}/);
	});

	test('L01: a hostile site name is text', () => {
		const name = '"><img src=x onerror=alert(1)>{{otp}}\r\nBcc: x@y.example</title><script>';
		const hostile = letterRenderer({ ...site, name })(one);
		expect(hostile.subject).not.toMatch(/[\r\n]/);
		expect(hostile.html).not.toMatch(/<img src=x|<script>|x@y\.example<\/title>/);
		expect(hostile.text.split('\n')).toHaveLength(text.split('\n').length);
		expect(hostile.text).toContain('{{otp}}');
	});
});

describe('the code mail', () => {
	const { html, text } = letterRenderer(site)(letter('code'));

	test('A22: has the code once, as one token, alone on its line', () => {
		expect(html.split('012345')).toHaveLength(2);
		expect(html).toMatch(/>012345</);
		expect(text.split('\n').filter((line) => line.includes('012345'))).toEqual(['012345']);
	});

	test('A22: says what it is for, how long it lives and that nobody asks for it', () => {
		for (const part of [html, text]) {
			expect(part).toContain('sign in to Postern');
			expect(part).toContain('expires after 10 minutes');
			expect(part).toContain('If you did not ask for it, ignore this mail');
			expect(part).toContain('will ever ask you for this code');
		}
	});

	test('counts minutes downwards, and never none', () => {
		const lives = (lifetime: number): string =>
			letterRenderer(site)({ kind: 'sign_in_code', to, code: 'ABC' as Code, lifetime }).text;
		expect(lives(119)).toContain('expires after one minute.');
		expect(lives(5)).toContain('expires after one minute.');
		expect(lives(120)).toContain('expires after 2 minutes');
	});
});

describe('L02: words of a person', () => {
	test('have no way into a mail: nothing but addresses, codes, links and times goes in', () => {
		const fields = new Set(letters.flatMap(([, one]) => Object.keys(one)));
		expect([...fields].toSorted()).toEqual(
			['account', 'at', 'code', 'kind', 'lifetime', 'newEmail', 'stage', 'to', 'url'].toSorted()
		);
	});
});

describe('mails about an address', () => {
	test('K17: the link to a new address names the account that asks', () => {
		const { html, text } = letterRenderer(site)(letter('change link'));
		for (const part of [html, text]) {
			expect(part).toContain('The account ada@example.com at Postern');
			expect(part).toContain('within one hour');
			expect(part).toContain('ignore this mail and nothing will change');
		}
		expect(text).toContain(`\n${LINK}\n`);
		expect(html).toContain(`href="${LINK.replace('&', '&amp;')}"`);
	});

	test('the link of a sign-up names nobody', () => {
		const { html, text } = letterRenderer(site)(letter('sign-up link'));
		expect(html + text).not.toContain('ada@example.com');
		expect(text).toContain('signed up at Postern');
	});

	test.each([
		['requested', 'Nothing changes unless the new address is confirmed'],
		['completed', 'Codes no longer come to this address']
	])(
		'K11: the notice of a change %s says what, when and how to object, without a token',
		(stage, what) => {
			const { html, text } = letterRenderer(site)(letter(`notice of a change ${stage}`));
			for (const part of [html, text]) {
				expect(part).toContain(what);
				expect(part).toContain('November 20, 2026 at 9:39');
				expect(part).toContain('UTC');
				expect(part).toContain('Was this not you? Write to help@example.org at once.');
				expect(part).toContain('g•••@example.net');
				expect(part).not.toMatch(/grace|token|verify-email/);
			}
		}
	);
});
