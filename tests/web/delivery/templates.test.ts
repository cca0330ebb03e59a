import { describe, expect, test } from 'vitest';
import {
	mailRenderer,
	type MailerConfig,
	type RenderMail
} from '#lib/adapters/mail/mail-renderer.ts';
import type { OutgoingMail } from '#lib/adapters/mail/emails/mail-definition.ts';
import { definitionOf } from '#lib/adapters/mail/emails/list.ts';
import { palette } from '#lib/brand/derived.ts';
import { renderHtml, renderText } from '#lib/adapters/mail/render-template.ts';
import type { Email } from '#lib/domain/email.ts';
import { NO_UNDO } from '#lib/domain/mail.ts';
import { messages } from '#lib/messages/messages.ts';
import { EXAMPLE_TOKEN, exampleMails } from '../../support/mail/examples.ts';

const to = 'ada@example.com' as Email;
const site: MailerConfig = {
	siteName: 'Postern',
	mail: { kind: 'console', codeInSubject: false, templates: [] },
	origin: 'https://auth.example.org',
	supportEmail: 'help@example.org' as Email,
	signInLayout: 'split'
};
const LINK = `https://auth.example.org/auth/verify-email?token=${EXAMPLE_TOKEN}&next=L2FwcD9hPTEmYj0y`;

const named = {
	'sign-in code': exampleMails.sign_in_code,
	'verification code': exampleMails.email_verification_code,
	'change code': exampleMails.email_change_code,
	'reauthentication code': exampleMails.reauthentication_code,
	'change link': exampleMails.email_change_link,
	'notice of a change requested': {
		...exampleMails.email_change_notice,
		...NO_UNDO,
		stage: 'requested'
	},
	'notice of a change completed': { ...exampleMails.email_change_notice, stage: 'completed' },
	'notice of a change back': {
		...exampleMails.email_change_notice,
		...NO_UNDO,
		stage: 'completed'
	},
	'notice of an undo': exampleMails.email_change_undone,
	deletion: exampleMails.account_deleted,
	'new device': exampleMails.new_device,
	'new program': { ...exampleMails.new_device, hasKey: false },
	welcome: exampleMails.welcome,
	'mail check': { kind: 'mail_check', to }
} as const satisfies Readonly<Record<string, OutgoingMail>>;
const letters = Object.entries<OutgoingMail>(named);
/** With plain spaces in the dates, where emails have no-break ones. */
const rendererOf =
	(...settings: Parameters<typeof mailRenderer>): RenderMail =>
	(mail) => {
		const { html, text, ...rest } = mailRenderer(...settings)(mail);
		const plain = (part: string): string => part.replaceAll('\u00a0', ' ');
		return { ...rest, html: plain(html), text: plain(text) };
	};
const render = rendererOf(site);
/** Emails that a user requested, or that report what a user did. */
const WITH_DEVICE = [
	...(['sign-in code', 'verification code', 'change code', 'change link'] as const),
	'reauthentication code',
	...(['notice of a change requested', 'notice of a change completed', 'deletion'] as const),
	...(['notice of a change back', 'notice of an undo', 'new device', 'new program'] as const)
] as const;

const preheaderOf = (html: string): string =>
	/<div style="display: none[^>]*>([^<]*)</.exec(html)?.[1] ?? '';

/** The words between the preheader and the end. */
const shownBy = (html: string): string => {
	const [, shown = ''] = /<div role="article"[^>]*>(.*)<\/div>/s.exec(html) ?? [];
	return shown
		.replace(/<!--.*?-->/gs, '')
		.replace(/<[^>]*>/g, ' ')
		.replaceAll('&amp;', '&')
		.replaceAll('&nbsp;', ' ');
};

/** Every colour of the site. */
const siteColours = new Set([...Object.values(palette.light), ...Object.values(palette.dark)]);

describe('the renderer', () => {
	test('inserts values, escaped in HTML and unchanged in text', () => {
		const values = { a: `<b>&"'`, b_2: 'x' };
		expect(renderHtml('{{a}} {{ b_2 }} {{a}}', values)).toBe(
			'&lt;b&gt;&amp;&quot;&#39; x &lt;b&gt;&amp;&quot;&#39;'
		);
		expect(renderText('{{a}}', values)).toBe(`<b>&"'\n`);
	});

	test('a placeholder without a value is an error, names of Object.prototype included', () => {
		for (const name of ['nobody', 'toString', '__proto__', 'constructor', '']) {
			expect(() => renderHtml(`x {{${name}}}`, { a: '1' })).toThrow(`{{${name}}}`);
		}
	});

	test('placeholders inside a value are not expanded', () => {
		expect(renderText('{{a}}{{b}}', { a: '{{b}}', b: '{{a}} $& $1' })).toBe('{{b}}{{a}} $& $1\n');
		expect(renderText('{{a}}b}}', { a: '{{', b: 'no' })).toBe('{{b}}\n');
	});

	test('a value stays on its line and does not change the text direction', () => {
		expect(renderText('a {{a}} b', { a: 'x\r\n\0\u2028\u0085y\u202Ez\u2066' })).toBe('a x yz b\n');
	});

	test('a value that is empty leaves one blank line, not three', () => {
		expect(renderText('a\n\n{{a}}\n\nb\n{{a}}', { a: '' })).toBe('a\n\nb\n');
	});
});

describe.each(letters)('the %s email', (_, one) => {
	const { subject, html, text } = render(one);

	test('has a subject of one short line', () => {
		expect(subject).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
		expect(subject.length).toBeLessThan(60);
	});

	test('contains every value in both parts, and names its site', () => {
		expect(subject).toContain('Postern');
		for (const part of [html, text]) {
			expect(part).not.toMatch(/\{\{|\}\}|undefined|null|NaN/);
			expect(part).toContain('Postern');
			expect(part).toContain('https://auth.example.org');
			expect(part).toContain('help@example.org');
		}
	});

	test('A22: has neither code nor link in subject, title and preheader', () => {
		for (const shown of [
			subject,
			preheaderOf(html),
			/<title>(.*)<\/title>/.exec(html)?.[1] ?? ''
		]) {
			expect(shown).not.toBe('');
			expect(shown).not.toMatch(/\d{6}|token|verify-email|new-device|undo-email/);
		}
	});

	test('L05: every link and picture is on the host of the site, or writes to the support', () => {
		const urls = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url = '']) => url);
		expect(urls.length).toBeGreaterThan(1);
		for (const url of urls) {
			expect(url).toMatch(/^(?:https:\/\/auth\.example\.org(?:\/|$)|mailto:help@example\.org$)/);
		}
	});

	test('has a complete text part: no markup, no run of blank lines', () => {
		expect(text).not.toMatch(/<[a-z/]|&(?:[a-z]+|#\d+);/i);
		expect(text).not.toMatch(/\n{3}|[ \t]\n/);
		expect(text.endsWith('\n')).toBe(true);
	});

	test('its text part contains everything that its HTML does', () => {
		const shown = shownBy(html);
		expect(shown).toContain('Postern');
		const words = new Set(text.split(/\s+/).map((word) => word.replace(/[.:]$/, '')));
		const missing = shown.split(/\s+/).filter((word) => !words.has(word.replace(/[.:]$/, '')));
		// Only the text about the URL, and the host in the footer, are missing or different.
		const excused = `If the button doesn’t work: auth.example.org`;
		expect(missing.filter((word) => word !== '' && !excused.includes(word))).toEqual([]);
	});

	test('fits email programs: well formed, no script, no more than Gmail shows', () => {
		for (const tag of ['table', 'tr', 'td', 'p', 'h1', 'a', 'div', 'style', 'body', 'html']) {
			const opened = html.match(new RegExp(`<${tag}[\\s>]`, 'g'))?.length ?? 0;
			expect(html.match(new RegExp(`</${tag}>`, 'g'))?.length ?? 0, tag).toBe(opened);
		}
		expect(html).not.toMatch(/<script|<svg|javascript:|display:\s*(?:flex|grid)/i);
		expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="ltr">/);
		expect(Buffer.byteLength(html)).toBeLessThan(100_000);
	});

	test('looks like the site: only the site’s colours', () => {
		const colours = new Set(html.match(/#[0-9a-f]{6}\b/gi));
		expect(colours.size).toBeGreaterThan(9);
		expect([...colours].filter((colour) => !siteColours.has(colour))).toEqual([]);
	});

	test('fits Outlook on Windows: colours as attributes too, one width, no empty preview', () => {
		for (const [element, colour] of html.matchAll(
			/<(?:body|table|td)[^>]*background-color: (#\w+)[^>]*>/g
		)) {
			expect(element).toContain(`bgcolor="${colour}"`);
		}
		expect(html.match(/<!--\[if mso\]><table[^>]* width="560"/g)).toHaveLength(1);
		expect(html).toMatch(/<\/table>\s*<!--\[if mso\]><\/td><\/tr><\/table><!\[endif\]-->/);
		expect(html).not.toMatch(/<p[^>]*background|padding-inline|text-align: start/);
		for (const [element] of html.matchAll(/<table[^>]*>/g)) {
			expect(element).toContain('role="presentation"');
		}
	});

	test('shows its preheader in an inbox, and nothing of the text after it', () => {
		const [preheader, ...filling] = preheaderOf(html).split('&#847;');
		expect(preheader?.length).toBeGreaterThan(10);
		expect(preheader?.length).toBeLessThan(120);
		expect(filling.join('')).toMatch(/^(?:&zwnj;&nbsp;){90,}$/);
		expect(html.indexOf('display: none')).toBeLessThan(html.indexOf('role="article"'));
	});

	test('declares its language where webmail keeps it, and has no text in pictures', () => {
		expect(html).toContain(
			`<div role="article" aria-roledescription="email" aria-label="${subject}" lang="en" dir="ltr">`
		);
		for (const [picture] of html.matchAll(/<img[^>]*>/g)) expect(picture).toContain('alt=""');
	});

	test('is dark on a dark screen: each colour has its counterpart', () => {
		expect(html).toContain('<meta name="color-scheme" content="light dark">');
		expect(html).toContain('<meta name="supported-color-schemes" content="light dark">');
		const dark = /prefers-color-scheme: dark\) \{(.*?)\n\t\}/s.exec(html)?.[1] ?? '';
		const coloured = [
			...html.matchAll(/<(?!a )[a-z]\w* [^>]*style="[^"]*color: #[^>]*>/g),
			...html.matchAll(/<a [^>]*class="link"[^>]*>/g)
		];
		expect(coloured.length).toBeGreaterThan(4);
		for (const [element] of coloured) {
			const [, names = ''] = /class="([^"]+)"/.exec(element) ?? [];
			const known = names.split(' ').filter((name) => new RegExp(`\\.${name}\\b`).test(dark));
			expect(known, element).not.toEqual([]);
		}
		for (const [element, names = ''] of html.matchAll(/<\w+ class="([^"]*)"[^>]*1px solid/g)) {
			const [name] = names.split(' ').toReversed();
			expect(dark, element).toMatch(new RegExp(`\\.${name} \\{[^}]*border-color`));
		}
	});

	test('says once where to write, and nothing about that without a support address', () => {
		const where = /contact us: /gi;
		const silent = rendererOf({ ...site, supportEmail: null })(one);
		for (const part of [html, text]) expect(part.match(where)).toHaveLength(1);
		const [said = ''] = text.match(where) ?? [];
		expect(html).toContain(`${said}<a href="mailto:help@example.org"`);
		expect(text).toContain(`${said}help@example.org\n`);
		expect(silent.html + silent.text).not.toMatch(/contact|help@|mailto:|\n{3}/i);
	});

	test('has at most 70 words between its title and its foot', () => {
		const [, body = ''] = /^.*?\n(.*)\n--\n/s.exec(text) ?? [];
		const said = body.split('\n').filter((line) => !/:\/\//.test(line));
		expect(said.join(' ').split(/\s+/).length).toBeLessThanOrEqual(70);
	});

	test('reports nothing about its reader: no link or picture is of one recipient', () => {
		const shown = [...html.matchAll(/<img[^>]*src="([^"]*)"/g)].map(([, url]) => url);
		expect(shown).toEqual(['https://auth.example.org/mail-logo.png']);
		const other = render({ ...one, to: 'other@example.com' as Email });
		const links = (part: string) => [...part.matchAll(/https:[^\s"<]*/g)].map(([url]) => url);
		expect(links(other.html)).toEqual(links(html));
	});

	test('L01: a hostile site name is text (CVE-2022-31127, GHSA-pgjx-7f9g-9463)', () => {
		const name = '"><img src=x onerror=alert(1)>{{otp}}\r\nBcc: x@y.example</title><script>';
		const hostile = rendererOf({ ...site, siteName: name })(one);
		expect(hostile.subject).not.toMatch(/[\r\n]/);
		expect(hostile.html).not.toMatch(/<img src=x|<script>|x@y\.example<\/title>/);
		expect(hostile.text.split('\n')).toHaveLength(text.split('\n').length);
		expect(hostile.text).toContain('{{otp}}');
	});
});

describe('L01: any character in an address', () => {
	const strange = `x'y&z{{otp}}@example.com` as Email;

	test.each(letters)('is text in the %s email', (_, one) => {
		const { html, text } = render({
			...one,
			to: strange,
			...('account' in one && { account: strange })
		});
		expect(html).not.toMatch(/x'y|y&z/);
		expect(html.includes('x&#39;y&amp;z{{otp}}@example.com')).toBe(
			text.includes(`x'y&z{{otp}}@example.com`)
		);
	});

	test.each(['change code', 'change link'] as const)('is shown in full by the %s', (name) => {
		const { text } = render({ ...named[name], account: strange });
		expect(text).toMatch(/(?:account|as) x'y&z\{\{otp\}\}@example\.com[.,]/);
	});

	test('is text in the masked part', () => {
		const newEmail = '&<b>@example.net' as Email;
		const { html } = render({ ...named['notice of a change completed'], newEmail });
		expect(html).toContain('New email address: &amp;•••@example.net</p>');
	});
});

describe.each([
	['sign-in code', '012345', 'Enter this code in the browser or app where you requested it:'],
	['verification code', '012346', 'Confirm your email address'],
	[
		'change code',
		'012347',
		'To use this email address for the Postern account ada@example.com, enter'
	],
	['reauthentication code', '012348', 'To change your email address to grace']
] as const)('the email with a %s', (name, code, purpose) => {
	const { html, text } = render(named[name]);

	test('A22: contains the code once, as one token, alone on its line', () => {
		expect(html.split(code)).toHaveLength(2);
		expect(html).toContain(`>${code}</td>`);
		expect(html).toMatch(/<td class="code" dir="ltr"[^>]*monospace[^>]*; user-select: all/);
		expect(text.split('\n').filter((line) => line.includes(code))).toEqual([code]);
	});

	test('A22: says what it is for, how long it lives and to tell it nobody', () => {
		for (const part of [html, text]) {
			expect(part).toContain(purpose);
			expect(part).toContain('Valid for 10 minutes, works once.');
			expect(part).toMatch(/ignore this email|Someone else may be signed in/);
			expect(part.match(/Never tell anyone this code\./g)).toHaveLength(1);
		}
		expect(html).toContain('<strong>Never tell anyone this code.</strong>');
	});
});

test('A22: only harmless emails say in the inbox that they can be ignored', () => {
	const ignorable = letters.filter(([, one]) => render(one).html.includes('ignore this email'));
	expect(ignorable.map(([name]) => name)).toEqual([
		'sign-in code',
		'verification code',
		'change code',
		'change link'
	]);
	for (const [, one] of ignorable) {
		expect(preheaderOf(render(one).html)).toContain('ignore this email.');
	}
	expect(preheaderOf(render(named['reauthentication code']).html)).toContain(
		'Someone else may be signed in to your account.'
	);
});

test.each(WITH_DEVICE)('A22 K17: the %s says when and from which device', (name) => {
	const { html, text } = render(named[name]);
	for (const part of [html, text]) {
		expect(part).toMatch(
			/20 Nov 2026 at 21:39 UTC(?: from|(?:<\/p>\s*<p [^>]*>|\n)Device:) Chrome on Windows, 203\.0\.113\.7/
		);
	}
});

describe('the code in the subject', () => {
	const open = rendererOf({ ...site, mail: { ...site.mail, codeInSubject: true } });

	test('A22: appears there only if the operator enables it, first, and not in the title', () => {
		const { subject, html } = open(named['sign-in code']);
		expect(subject).toBe('012345 · Your sign-in code for Postern');
		expect(html).toBe(render(named['sign-in code']).html);
		expect(open(named['verification code']).subject).toMatch(/^012346 · /);
		expect(open(named['change code']).subject).toMatch(/^012347 · /);
		expect(render(named['sign-in code']).subject).toBe('Your sign-in code for Postern');
	});

	test('emails without a code are unchanged, links too', () => {
		for (const [, one] of letters.filter(([, { kind }]) => !kind.endsWith('_code'))) {
			expect(open(one)).toEqual(render(one));
		}
	});
});

test('a language written from right to left has its text on the right', () => {
	const { html } = rendererOf(site, { ...messages, direction: 'rtl' })(named.welcome);
	expect(html).toMatch(/^<!doctype html>\n<html lang="en" dir="rtl">/);
	expect(html).toContain('align="right"');
	expect(html).not.toContain('align="left"');
});

test('a lifetime is rounded down to minutes, and is never zero', () => {
	const lives = (lifetime: number): string => render({ ...named['sign-in code'], lifetime }).text;
	expect(lives(119)).toContain('for one minute, ');
	expect(lives(5)).toContain('for one minute, ');
	expect(lives(120)).toContain('for 2 minutes, ');
});

describe('L02: text from users', () => {
	test('never reaches an email: this test knows every field of an email', () => {
		const fields = new Set(letters.flatMap(([, one]) => Object.keys(one)));
		expect([...fields].toSorted()).toEqual(
			[
				'account',
				'at',
				'callbackUrl',
				'code',
				'kind',
				'lifetime',
				'newEmail',
				'hasKey',
				'oldEmail',
				'purgeAt',
				'source',
				'stage',
				'to',
				'token',
				'undoToken',
				'undoUntil'
			].toSorted()
		);
	});

	test.each([
		['Buy pills at evil.example/1.0 (Windows NT 10.0)', '203.0.113.7'],
		['<a href="https://evil.example">Buy pills</a>', '<b>Buy pills</b>'],
		['Buy pills\r\nat evil.example', 'fe80::1%Buy.pills.at.evil.example'],
		['', '203.0.113.7, Buy pills'],
		['x'.repeat(100_000) + 'pills', 'x'.repeat(100_000)]
	])(
		'in a user agent or an IP address never appears in an email (case %$)',
		(userAgent, ipAddress) => {
			for (const name of WITH_DEVICE) {
				const { subject, html, text } = render({
					...named[name],
					source: { userAgent, ipAddress }
				});
				expect(subject + html + text).not.toMatch(/pills|evil|xxx|fe80|<b>/i);
				expect(text).toMatch(/(?:from|Device:) an unknown /);
			}
		}
	);

	test('L02: the target of a link is not readable in it', () => {
		const callbackUrl = '/app?"><b>\r\nBuy pills\u2028at=1#x';
		const { html, text } = render({ ...named['change link'], callbackUrl });
		const link = text.split('\n').find((line) => line.includes('next=')) ?? '';
		expect(link).toMatch(
			/^https:\/\/auth\.example\.org\/auth\/verify-email\?token=[\w-]+&next=[\w-]+$/
		);
		const next = new URL(link).searchParams.get('next') ?? '';
		expect(Buffer.from(next, 'base64url').toString()).toBe(callbackUrl);
		expect(html).toContain(`href="${link.replace('&', '&amp;')}"`);
		for (const part of [html, text]) expect(part).not.toMatch(/buy|pills/i);
	});
});

describe('emails to a new address', () => {
	test.each([
		['change link', 'where you’re signed in to Postern as ada@example.com.'],
		['change code', 'To use this email address for the Postern account ada@example.com, enter']
	] as const)(
		'K17: the %s names the requesting account, and warns (GHSA-xhpr-465j-7p9q)',
		(name, account) => {
			const { html, text } = render(named[name]);
			for (const part of [html, text]) {
				expect(part).toContain('Confirm your new email address');
				expect(part).toContain(account);
				expect(part).toContain('If that account isn’t yours, ignore this email.');
			}
		}
	);

	test('the link is shown unchanged, and works once within an hour', () => {
		const { html, text } = render(named['change link']);
		for (const part of [html, text]) expect(part).toContain('Valid for one hour, works once.');
		expect(text).toContain(`\n${LINK}\n`);
		expect(html).toContain(`href="${LINK.replace('&', '&amp;')}"`);
	});

	test('with a single sign-in page, the template calls the link confirmationUrl, and the email is the same', () => {
		const mail = named['change link'];
		for (const [signInLayout, other] of [
			['single', '{{verificationUrl}}'],
			['split', '{{confirmationUrl}}']
		] as const) {
			const wording = { site: site.siteName, origin: site.origin, signInLayout, messages };
			const { template } = definitionOf(mail).write(mail, wording);
			expect(JSON.stringify(template(true))).not.toContain(other);
		}
		const single = rendererOf({ ...site, signInLayout: 'single' });
		expect(single(named['change link'])).toEqual(render(named['change link']));
	});

	test('a link without a target mentions none', () => {
		expect(render({ ...named['change link'], callbackUrl: null }).text).toContain(
			`\nhttps://auth.example.org/auth/verify-email?token=${EXAMPLE_TOKEN}\n`
		);
	});
});

describe('emails about an event', () => {
	test.each([
		['notice of a change requested', 'Nothing changes until the new address is confirmed.'],
		['notice of a change completed', 'You can no longer sign in with ada@example.com.'],
		['notice of a change back', 'You can no longer sign in with ada@example.com.'],
		['notice of an undo', 'You can no longer sign in with grace@example.net.'],
		['deletion', 'Deleted: 20 Nov']
	] as const)('K11: the %s says what happened', (name, what) => {
		const { html, text } = render(named[name]);
		for (const part of [html, text]) {
			expect(part).toContain(what);
			expect(part).not.toMatch(/token|verify-email|\b\d{6}\b/);
		}
	});

	test.each([
		['notice of a change requested', 'If this wasn’t you, cancel the change in your settings'],
		['notice of a change completed', 'If this wasn’t you, change it back by 27 Nov 2026'],
		[
			'notice of a change back',
			'If this is your account, sign in with g•••@example.net from now on.'
		],
		[
			'notice of an undo',
			'If this is your account, sign in with a•••@example.com from now on. If you didn’t change it back, change the password of that email account.'
		],
		[
			'deletion',
			'To restore your account, sign in by 20 Dec 2026 at 21:39 UTC. After that, it’s deleted forever. If you didn’t delete your account, also change the password of your email account.'
		],
		['new device', 'If this wasn’t you, sign the device out.']
	] as const)('K11: the %s says first what to do', (name, todo) => {
		expect(render(named[name]).text.split('\n')[2]).toMatch(new RegExp(`^${todo}`));
	});

	test('K11: the reauthentication code says in its text what to do about an attack', () => {
		expect(render(named['reauthentication code']).text.split('\n')[8]).toBe(
			'Didn’t request this? Someone else may be signed in to your account. Sign out all other devices in your settings:'
		);
	});

	test('the code of a change by an operator says first whom to tell it', () => {
		expect(render(exampleMails.operator_email_change_code).text.split('\n')[2]).toBe(
			'Give this code only to Postern’s support, and only if you contacted them first.'
		);
	});

	test('K11: the notice of a change has a link that undoes it, and says until when', () => {
		const link = `https://auth.example.org/auth/undo-email-change/undo.${EXAMPLE_TOKEN}`;
		const { html, text } = render(named['notice of a change completed']);
		expect([text.split('\n').includes(link), html.includes(`href="${link}"`)]).toEqual([
			true,
			true
		]);
		for (const part of [html, text]) {
			expect(part).toContain('change it back by 27 Nov 2026 at 21:39 UTC');
		}
		for (const [name, one] of letters.filter(([name]) => !name.endsWith('completed'))) {
			expect([name, render(one).text.includes('undo-email')]).toEqual([name, false]);
		}
	});

	test('the notice of a requested change says under the new address that it is not confirmed', () => {
		expect(render(named['notice of a change requested']).text).toContain(
			'New email address: g•••@example.net\nNothing changes until the new address is confirmed.\n'
		);
	});

	test('the notice of a change by an operator says once that all devices are signed out', () => {
		const { text } = render(exampleMails.operator_email_change_notice);
		expect(text.match(/all devices/gi)).toHaveLength(1);
	});

	test.each(['notice of a change requested', 'notice of a change completed'] as const)(
		'K11: the %s masks the new address',
		(name) => {
			const { html, text } = render(named[name]);
			for (const part of [html, text]) {
				expect(part).toContain('g•••@example.net');
				expect(part).not.toContain('grace');
			}
		}
	);

	test('an IPv6 address is shown, without an unknown device', () => {
		const source = { userAgent: '', ipAddress: '2001:db8::7' };
		expect(render({ ...named.deletion, source }).text).toContain(
			'Device: an unknown device, 2001:db8::7\n'
		);
	});
});
