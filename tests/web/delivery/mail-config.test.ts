import { describe, expect, test } from 'vitest';
import { configOf, problemsOf } from '../../support/web/config.ts';

describe('mail', () => {
	const key = { EMAIL_API_KEY: 're_k3J0v9Qm2', EMAIL_FROM: 'no-reply@example.org' };
	const https = { AUTH_URL: 'https://auth.example.org' };

	test.each([
		{ ...https },
		{ ...https, NODE_ENV: 'production' },
		{ ...https, NODE_ENV: 'development' },
		{ AUTH_URL: 'https://localhost' },
		{ AUTH_URL: 'HTTPS://Auth.Example.org' }
	])('N03: %j without a mail key needs EMAIL_CONSOLE=allow', (env) => {
		expect(problemsOf(env)).toEqual([
			expect.stringMatching(/^EMAIL_API_KEY: .+EMAIL_CONSOLE=allow/)
		]);
		expect(problemsOf({ ...env, EMAIL_API_KEY: ' ' })).toHaveLength(1);
		expect(problemsOf({ ...env, EMAIL_CONSOLE: 'allow' })).toEqual([]);
		expect(problemsOf({ ...env, ...key })).toEqual([]);
	});

	test('N03: on http the console needs no permission, and the setting has one valid word', () => {
		expect(problemsOf({ NODE_ENV: 'production' })).toEqual([]);
		expect(problemsOf({ ...https, EMAIL_CONSOLE: 'yes' })).toEqual([
			expect.stringMatching(/^EMAIL_CONSOLE: "yes" is not a valid value/)
		]);
	});

	test('N04: goes to the console exactly if there is no key', () => {
		expect(configOf({}).mail.kind).toBe('console');
		expect(configOf({ ...https, EMAIL_CONSOLE: 'allow' }).mail.kind).toBe('console');
		expect(configOf({ ...key, EMAIL_CONSOLE: 'allow' }).mail.kind).toBe('smtp');
		expect(configOf({ ...https, ...key }).mail.kind).toBe('smtp');
	});

	test('settings without effect because there is no key are reported', () => {
		expect(configOf({ EMAIL_HOST: 'mail.example.org' }).warnings).toEqual([
			expect.stringMatching(/^EMAIL_HOST without EMAIL_API_KEY/)
		]);
	});

	test('a key and a sender are sufficient: Resend', () => {
		expect(configOf(key).mail).toEqual({
			kind: 'smtp',
			service: 'Resend',
			host: 'smtp.resend.com',
			port: 465,
			implicitTls: true,
			plain: false,
			user: 'resend',
			key: key.EMAIL_API_KEY,
			fallback: null,
			from: { name: null, address: 'no-reply@example.org' },
			codeInSubject: false,
			templates: []
		});
	});

	test('A22: codes appear in subjects only with EMAIL_CODE_IN_SUBJECT=on', () => {
		for (const env of [{}, key]) {
			expect(configOf(env).mail.codeInSubject).toBe(false);
			expect(configOf({ ...env, EMAIL_CODE_IN_SUBJECT: 'off' }).mail.codeInSubject).toBe(false);
			expect(configOf({ ...env, EMAIL_CODE_IN_SUBJECT: 'on' }).mail.codeInSubject).toBe(true);
		}
		expect(problemsOf({ EMAIL_CODE_IN_SUBJECT: 'yes' })).toEqual([
			'EMAIL_CODE_IN_SUBJECT: "yes" is not a valid value. Set it to on or off'
		]);
	});

	test.each([
		['postmark', 'smtp.postmarkapp.com', 2525, false, 're_k3J0v9Qm2'],
		['SendGrid', 'smtp.sendgrid.net', 587, false, 'apikey'],
		['Gmail', 'smtp.gmail.com', 465, true, 'no-reply@example.org']
	])('EMAIL_SERVICE=%s', (service, host, port, implicitTls, user) => {
		expect(configOf({ ...key, EMAIL_SERVICE: service }).mail).toMatchObject({
			service,
			host,
			port,
			implicitTls,
			user
		});
	});

	test('Amazon SES needs the user name that it generated', () => {
		const ses = { ...key, EMAIL_SERVICE: 'SES-EU-WEST-1' };
		expect(problemsOf(ses)).toEqual([expect.stringMatching(/^EMAIL_USER: Amazon SES/)]);
		expect(configOf({ ...ses, EMAIL_USER: 'AKIA0' }).mail).toMatchObject({ user: 'AKIA0' });
	});

	test('a custom server: STARTTLS on 587, implicit TLS on 465', () => {
		const own = { ...key, EMAIL_HOST: 'mail.example.org' };
		expect(configOf(own).mail).toMatchObject({
			service: null,
			host: 'mail.example.org',
			port: 587,
			implicitTls: false,
			user: 'no-reply@example.org'
		});
		expect(configOf({ ...own, EMAIL_PORT: '465' }).mail).toMatchObject({ implicitTls: true });
		expect(configOf({ ...key, EMAIL_PORT: '2587' }).mail).toMatchObject({
			host: 'smtp.resend.com',
			port: 2587,
			implicitTls: false
		});
	});

	test.each([
		['EMAIL_SERVICE', { EMAIL_SERVICE: 'constructor' }, 'set EMAIL_HOST instead'],
		['EMAIL_SERVICE', { EMAIL_SERVICE: 'Resend', EMAIL_HOST: 'mail.example.org' }, 'Remove one'],
		['EMAIL_HOST', { EMAIL_HOST: 'smtp://mail.example.org:25' }, 'EMAIL_PORT'],
		['EMAIL_PORT', { EMAIL_HOST: 'mail.example.org', EMAIL_PORT: 'x' }, 'is not a port'],
		['EMAIL_ALLOW_PLAIN', { EMAIL_ALLOW_PLAIN: '1' }, 'unencrypted'],
		['EMAIL_ALLOW_PLAIN', { EMAIL_ALLOW_PLAIN: 'on' }, 'Set it to 1, or remove it'],
		['EMAIL_ALLOW_PLAIN', { EMAIL_HOST: '10.0.0.5', EMAIL_ALLOW_PLAIN: '1' }, 'unencrypted']
	])('%s of %j is refused', (name, env, text) => {
		const problems = problemsOf({ ...key, ...env });
		expect(problems).toEqual([expect.stringMatching(new RegExp(`^${name}: `))]);
		expect(problems[0]).toContain(text);
		expect(problems[0]).not.toContain(key.EMAIL_API_KEY);
	});

	test('N10: plain connections only to this machine, and only by its flag', () => {
		const local = { ...key, EMAIL_HOST: '127.0.0.1', EMAIL_PORT: '1025' };
		expect(configOf(local).mail).toMatchObject({ plain: false });
		expect(configOf({ ...local, EMAIL_ALLOW_PLAIN: '1' }).mail).toMatchObject({ plain: true });
	});

	test.each([
		['no-reply@example.org', null, 'no-reply@example.org'],
		['Postern <No-Reply@Example.org>', 'Postern', 'no-reply@example.org'],
		['"Acme, Inc." <a@example.org>', 'Acme, Inc.', 'a@example.org'],
		['<a@example.org>', null, 'a@example.org']
	])('EMAIL_FROM=%s', (value, name, address) => {
		expect(configOf({ ...key, EMAIL_FROM: value }).mail).toMatchObject({ from: { name, address } });
	});

	test.each([
		undefined,
		'no-reply',
		'a@example.org, b@example.org',
		'a@example.org <b@example.org>',
		'A <a@example.org> B',
		'"A <a@example.org>',
		'A "x@evil" <a@example.org>',
		'A\r\nBcc: x <a@example.org>',
		'a@bücher.de',
		'a@[127.0.0.1]'
	])('EMAIL_FROM=%s is refused', (value) => {
		expect(problemsOf({ ...key, EMAIL_FROM: value })).toEqual([
			expect.stringMatching(/^EMAIL_FROM: .+no-reply@example\.org/)
		]);
	});
});

const first = { EMAIL_API_KEY: 're_k3J0v9Qm2', EMAIL_FROM: 'Acme <no-reply@example.org>' };
const second = { EMAIL_FALLBACK_API_KEY: 'pm_7Hs2', EMAIL_FALLBACK_SERVICE: 'Postmark' };

describe('EMAIL_FALLBACK_…', () => {
	test('names a second provider, with the sender of the first unless it has its own', () => {
		const mailOf = (env: Readonly<Record<string, string>>) =>
			configOf({ ...first, ...second, ...env }).mail;
		expect(mailOf({})).toMatchObject({
			host: 'smtp.resend.com',
			fallback: {
				host: 'smtp.postmarkapp.com',
				user: 'pm_7Hs2',
				key: 'pm_7Hs2',
				from: { name: 'Acme', address: 'no-reply@example.org' }
			}
		});
		expect(mailOf({ EMAIL_FALLBACK_FROM: 'mail@example.net' })).toMatchObject({
			fallback: { from: { name: null, address: 'mail@example.net' } }
		});
	});

	test('is not used without the first, and a line at start says so', () => {
		expect(configOf(second).warnings).toEqual([
			expect.stringMatching(
				/^EMAIL_FALLBACK_API_KEY, EMAIL_FALLBACK_SERVICE without EMAIL_API_KEY: no/
			)
		]);
	});

	test('is not needed', () => {
		expect(configOf(first).mail).toMatchObject({ fallback: null });
	});

	test.each([
		[
			{ ...first, EMAIL_FALLBACK_HOST: 'mail.example.net', EMAIL_FALLBACK_PORT: '465' },
			'EMAIL_FALLBACK_API_KEY: it is missing, but other settings of the second provider are set. Set it to the key of that provider, or remove the others'
		],
		[
			{ ...first, EMAIL_FALLBACK_API_KEY: 'key' },
			'EMAIL_FALLBACK_SERVICE: it is the mail server of the first provider too (smtp.resend.com:465), so both would fail together. Name another provider'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_SERVICE: 'Postmrak' },
			'EMAIL_FALLBACK_SERVICE: "Postmrak" is not a known mail service. Known services include Resend, Postmark, SES-EU-WEST-1, SendGrid and Mailgun. For other services, set EMAIL_FALLBACK_HOST instead'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_FROM: 'nobody' },
			'EMAIL_FALLBACK_FROM: "nobody" is not a single plain email address. Write one address of a domain that you may send from, such as no-reply@example.org or Name <no-reply@example.org>'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_ALLOW_PLAIN: '1' },
			'EMAIL_FALLBACK_ALLOW_PLAIN: the key and all codes would be sent unencrypted over the network to smtp.postmarkapp.com. Remove it. It is only for a mail server on this machine (EMAIL_FALLBACK_HOST=127.0.0.1)'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_SERVICE: 'SES-EU-WEST-1' },
			'EMAIL_FALLBACK_USER: Amazon SES needs its own SMTP user name. Set it to the SMTP user name that SES created with the SMTP password'
		]
	])('%j stops the start', (env, line) => {
		expect(problemsOf(env)).toEqual([line]);
	});
});

describe('the settings of the webhooks', () => {
	test.each([
		['EMAIL_HOOK_RESEND', 're_123'],
		['EMAIL_HOOK_POSTMARK', 'postern:short'],
		['EMAIL_HOOK_POSTMARK', 'a-password-without-a-user-name'],
		['EMAIL_HOOK_SES', 'arn:aws:sqs:eu-west-1:123456789012:bounces'],
		['EMAIL_HOOK_SES', 'arn:aws:sns:evil.example#:123456789012:bounces']
	])('%s is refused as %s', (name, value) => {
		const lines = problemsOf({ [name]: value });
		expect(lines.map((line) => line.split(':')[0])).toEqual([name]);
		if (name !== 'EMAIL_HOOK_SES') expect(lines.join()).not.toContain(value);
	});
});
