import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { mailRenderer, type MailerConfig } from '#lib/adapters/mail/mail-renderer.ts';
import { messageOf } from '#lib/adapters/mail/message.ts';
import { mailPage } from '#lib/adapters/mail/preview/mail-page.ts';
import type { OutgoingMail } from '#lib/adapters/mail/emails/mail-definition.ts';
import { mailDefinitions, examplesOf, definitionOf } from '#lib/adapters/mail/emails/list.ts';
import { memoryStorage, memoryStores } from '../../support/memory/stores.ts';
import { compose } from '#lib/app.server.ts';
import { configOf, problemsOf as refusals } from '../../support/web/config.ts';
import { messages } from '#lib/messages/messages.ts';
import { EXAMPLE_TOKEN, exampleMails } from '../../support/mail/examples.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';

const site: MailerConfig = {
	siteName: `A & B's`,
	mail: { kind: 'console', codeInSubject: false, templates: [] },
	origin: 'https://auth.example.org',
	supportEmail: null,
	signInLayout: 'split'
};
const { sign_in_code: codeMail, email_change_link: linkMail, welcome } = exampleMails;

type Files = Readonly<Record<string, string>>;
const rendererOf = (files: Files, codeInSubject = false) => {
	const templates = Object.entries(files).map(([name, text]) => ({ name, text }));
	return mailRenderer({ ...site, mail: { ...site.mail, codeInSubject, templates } });
};
const problemOf = (files: Files): string | null => {
	try {
		rendererOf(files);
		return null;
	} catch (error) {
		return String(error);
	}
};

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => rmSync(folder, { recursive: true })));
const aFolder = (files: Readonly<Record<string, string | Uint8Array>>): string => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-templates-'));
	folders.push(folder);
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	return folder;
};

const code = { 'sign-in-code.html': '<p>{{otp}}</p>', 'sign-in-code.txt': '{{otp}}' };
const hello = { 'welcome.html': '<b>Hi</b>', 'welcome.txt': 'Hi' };

describe('a template of the operator', () => {
	test('replaces both parts of its email, and no other email', () => {
		const render = rendererOf({
			'sign-in-code.html': '<h1>{{title}}</h1><b>{{otp}}</b> {{ site_name }}',
			'sign-in-code.txt': '{{otp}}\n\n{{site_name}}, {{lives}}'
		});
		expect(render(codeMail)).toEqual({
			subject: `Your sign-in code for A & B's`,
			html: '<h1>Your sign-in code for A &amp; B&#39;s</h1><b>012345</b> A &amp; B&#39;s',
			text: `012345\n\nA & B's, Valid for 10 minutes, works once.\n`
		});
		expect(render(welcome)).toEqual(mailRenderer(site)(welcome));
	});

	test('can have a subject, in the first line of its text', () => {
		const render = rendererOf({
			...code,
			'sign-in-code.txt': 'Subject: Your key for {{site_host}}\n\n{{title}}: {{otp}}'
		});
		expect(render(codeMail)).toMatchObject({
			subject: 'Your key for auth.example.org',
			text: 'Your key for auth.example.org: 012345\n'
		});
		const withCode = rendererOf(code, true);
		expect(withCode(codeMail).subject).toBe(`012345 · Your sign-in code for A & B's`);
	});

	test('L04: its subject adds no header, whatever it contains', () => {
		for (const line of [
			'x\rBcc: evil@example.net',
			'x\u2028Bcc: evil@example.net',
			'x\0\u0085\u202EBcc: evil@example.net',
			'x\nBcc: evil@example.net'
		]) {
			const render = rendererOf({ ...hello, 'welcome.txt': `Subject: ${line}\n\nHi` });
			const { subject, ...parts } = render(welcome);
			expect(subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
			const from = { name: 'x', address: 'x@example.org' };
			const sender = { from, replyTo: null, host: 'smtp.example.org' };
			const message = messageOf(sender, welcome.to, { subject, ...parts });
			expect(message.bcc).toBeUndefined();
		}
	});
});

describe('a wrong template stops the start, with the file', () => {
	test.each<[string, Files, string]>([
		[
			'an unknown placeholder',
			{ ...code, 'sign-in-code.html': '<p>\n{{otp}}\n{{oto}}</p>' },
			'sign-in-code.html: this email has no placeholder {{oto}}. It has {{'
		],
		[
			'a placeholder of another email',
			{ ...hello, 'welcome.txt': 'Subject: Hi\n\nHello\n{{otp}}' },
			'welcome.txt: this email has no placeholder {{otp}}. It has '
		],
		[
			'the code only in a comment',
			{ 'sign-in-code.html': '<!-- {{otp}} --><p>Hi</p>', 'sign-in-code.txt': '\nHi' },
			'sign-in-code.html: its code or link is missing'
		],
		[
			'no code in the text',
			{ ...code, 'sign-in-code.txt': 'Hi' },
			'sign-in-code.txt: its code or link is missing'
		],
		[
			'no link',
			{
				'email-change-link.html': '<a href="{{app_url}}">x</a>',
				'email-change-link.txt': '{{verificationUrl}}'
			},
			'email-change-link.html: its code or link is missing'
		],
		[
			'HTML without text',
			{ 'welcome.html': 'Hi' },
			'welcome.html: an email needs an HTML part and a text part'
		],
		[
			'text without HTML',
			{ 'welcome.txt': 'Hi' },
			'welcome.txt: an email needs an HTML part and a text part'
		],
		[
			'a file of no email',
			{ 'signin-code.html': '{{otp}}', 'signin-code.txt': '{{otp}}' },
			'signin-code.html: no email has this name. There are sign-in-code, '
		],
		[
			'an open placeholder',
			{ ...hello, 'welcome.html': 'a\n{{site_name}' },
			'welcome.html: write a placeholder as {{name}}'
		],
		[
			'three braces',
			{ ...hello, 'welcome.html': '{{{site_name}}}' },
			'welcome.html: write a placeholder as {{name}}'
		],
		[
			'a code in the subject',
			{ ...code, 'sign-in-code.txt': 'Subject: {{otp}}\n\n{{otp}}' },
			'sign-in-code.txt: the subject must not contain the code or link'
		],
		[
			'an empty subject',
			{ ...hello, 'welcome.txt': 'Subject: \n\nHi' },
			'welcome.txt: the subject is empty'
		],
		[
			'the title in the title',
			{ ...hello, 'welcome.txt': 'Subject: {{title}}\n\nHi' },
			'welcome.txt: this email has no placeholder {{title}}. '
		]
	])('%s', (_, files, line) => {
		expect(problemOf(files)).toContain(`EMAIL_TEMPLATES: ${line}`);
	});

	test('CSS with two closing braces is no placeholder', () => {
		const css = '<style>@media print{p{color:red}}</style>';
		expect(problemOf({ ...hello, 'welcome.html': css })).toBeNull();
	});

	test('also where the console takes all emails', async () => {
		const folder = aFolder({ ...hello, 'welcome.html': '\n{{nothing}}' });
		const config = configOf({ EMAIL_TEMPLATES: folder });
		await expect(compose(config, { storage: memoryStorage(memoryStores()) })).rejects.toThrow(
			'EMAIL_TEMPLATES: welcome.html: this email has no placeholder'
		);
	});
});

describe('EMAIL_TEMPLATES', () => {
	test.each([
		['/nowhere', '/nowhere cannot be read (ENOENT)'],
		[() => aFolder({ 'README.md': '{{x}}' }), 'there are no .html and .txt files in '],
		[
			() => aFolder({ 'welcome.html': new Uint8Array([0xc3, 0x28]) }),
			' cannot be read (ERR_ENCODING'
		]
	])('is refused: %s', (folder, why) => {
		const EMAIL_TEMPLATES = typeof folder === 'string' ? folder : folder();
		expect(refusals({ EMAIL_TEMPLATES })).toEqual([expect.stringContaining(why)]);
	});

	test('reads files with a mark of the editor and Windows line ends', () => {
		const EMAIL_TEMPLATES = aFolder({ 'welcome.txt': '\uFEFFSubject: Hi\r\n\r\nHi' });
		expect(configOf({ EMAIL_TEMPLATES }).mail.templates).toEqual([
			{ name: 'welcome.txt', text: 'Subject: Hi\n\nHi' }
		]);
	});

	test('the folder in examples is right, and says what our emails say', () => {
		const EMAIL_TEMPLATES = join(projectRoot, 'examples/email-templates');
		const files = configOf({ EMAIL_TEMPLATES }).mail.templates;
		expect(files.map(({ name }) => name).toSorted()).toEqual([
			'email-change-link.html',
			'email-change-link.txt',
			'sign-in-code.html',
			'sign-in-code.txt',
			'welcome.html',
			'welcome.txt'
		]);
		const render = mailRenderer({ ...site, mail: { ...site.mail, templates: files } });
		for (const part of ['html', 'text'] as const) {
			expect(render(codeMail)[part]).toContain('012345');
			expect(render(linkMail)[part]).toContain(EXAMPLE_TOKEN);
			expect(render(welcome)[part]).toContain('auth.example.org');
			expect(render(welcome)[part]).not.toMatch(/contact/i);
		}
	});

	test('/dev/mail shows the templates', () => {
		const templates = [
			{ name: 'welcome.html', text: '<i>ours</i>' },
			{ name: 'welcome.txt', text: 'Subject: Mine\n\nmine too' }
		];
		const page = mailPage('welcome', [], { ...site, mail: { ...site.mail, templates } });
		expect(page).toContain('<h1>Mine</h1>');
		expect(page).toContain('<pre>mine too\n</pre>');
		expect(page).toContain('srcdoc="&lt;i&gt;ours&lt;/i&gt;"');
	});
});

test.each(Object.keys(mailDefinitions) as OutgoingMail['kind'][])(
	'all examples of %s have the placeholders of the first, so a template works for each',
	(kind) => {
		const wording = { site: 'x', origin: site.origin, signInLayout: 'split', messages } as const;
		const placeholdersOf = (mail: OutgoingMail) => {
			const { values } = definitionOf(mail).write(mail, wording);
			return Object.keys(values).filter((name) => name !== 'object');
		};
		const [first, ...others] = examplesOf(kind).map((mail) => placeholdersOf(mail).toSorted());
		for (const other of others) expect(other).toEqual(first);
	}
);
