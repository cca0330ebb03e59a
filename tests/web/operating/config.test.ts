import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { brand } from '#lib/brand/brand.ts';
import { readConfig } from '#lib/config.server.ts';
import { configOf, MINIMAL, problemsOf } from '../../support/web/config.ts';

const SECRET = MINIMAL.AUTH_SECRET;

describe('AUTH_SECRET', () => {
	test.each([
		['a missing value', undefined],
		['an empty value', ''],
		['31 bytes', SECRET.slice(0, 31)],
		['one repeated letter', 'a'.repeat(64)],
		['a repeated short text', 'k3J0v9Qm2Xc7'.repeat(4)],
		['an alphabet', 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN'],
		['digits that count down', '98765432109876543210987654321098765'],
		['a word from an example', 'your-secret-key-goes-in-here-please'],
		['a known default', 'better-auth-secret-123456789012345'],
		['the text of an instruction', 'change-me-to-something-long-and-random']
	])('N01: %s stops the start, and the line says how to create one', (_, value) => {
		expect(problemsOf({ AUTH_SECRET: value })).toEqual([
			expect.stringMatching(/^AUTH_SECRET: .+openssl rand -base64 33$/)
		]);
	});

	test('N01: the value itself is never repeated', () => {
		expect(problemsOf({ AUTH_SECRET: 'hunter2hunter2' }).join()).not.toContain('hunter2');
	});

	test.each([SECRET, 'f3a91c07be52d864'.split('').reverse().join('') + '0e7d4b1a95c8f263'])(
		'random text is accepted: %s',
		(value) => {
			expect(configOf({ AUTH_SECRET: value }).secret).toBe(value);
		}
	);
});

describe('AUTH_URL', () => {
	test.each([
		[undefined],
		['localhost:3000'],
		['ftp://example.org'],
		['https://user:pw@example.org'],
		['https://example.org?x=1'],
		['https://a;script-src.example.org'],
		["https://a'.example.org"]
	])('%s is refused', (value) => {
		expect(problemsOf({ AUTH_URL: value })).toEqual([expect.stringMatching(/^AUTH_URL: /)]);
	});

	test('D02: plain http is refused on anything but localhost', () => {
		expect(problemsOf({ AUTH_URL: 'http://auth.example.org' })).toEqual([
			expect.stringMatching(/^AUTH_URL: plain http .+AUTH_ALLOW_HTTP=1/)
		]);
		expect(problemsOf({ AUTH_URL: 'http://localhost.example.org' })).toHaveLength(1);
	});

	test('D02: AUTH_ALLOW_HTTP=1 allows it, with a warning', () => {
		const config = configOf({ AUTH_URL: 'http://auth.example.org', AUTH_ALLOW_HTTP: '1' });
		expect(config.secure).toBe(false);
		expect(config.warnings).toEqual([expect.stringContaining('plain http')]);
	});

	test.each([
		['http://localhost:3000', '127.0.0.1'],
		['http://127.0.0.1:8080', '127.0.0.1'],
		['http://[::1]:3000', '::1'],
		['http://app.localhost', '127.0.0.1']
	])('D02: %s counts as this machine', (url, host) => {
		expect(configOf({ AUTH_URL: url })).toMatchObject({ secure: false, warnings: [], host });
	});

	test('an https address makes cookies secure, and the server trusts its proxy', () => {
		const config = configOf({ AUTH_URL: 'https://Auth.Example.org/', EMAIL_CONSOLE: 'allow' });
		expect(config).toMatchObject({
			origin: 'https://auth.example.org',
			secure: true,
			host: '0.0.0.0'
		});
	});
});

describe('AUTH_TRUSTED_PROXIES', () => {
	test.each(['10.0.0.0/33', 'foo', '1.2.3.4/', 'fe80::1%eth0', '::/129', '1.2.3.4/-1', ','])(
		'J07: the entry %s stops the start',
		(entry) => {
			expect(problemsOf({ AUTH_TRUSTED_PROXIES: entry })).toEqual([
				expect.stringMatching(/^AUTH_TRUSTED_PROXIES: /)
			]);
		}
	);

	test.each([
		'0.0.0.0/0',
		'0.0.0.0/1,128.0.0.0/1',
		'::/0',
		'2000::/15',
		'64:ff9b::/96',
		'fd::/8',
		'::ffff:0:0/96',
		'::FFFF:0.0.0.0/103',
		'0:0:0:0:0:ffff::/96'
	])('J07: %s would trust the internet and is refused', (list) => {
		const problems = problemsOf({ AUTH_TRUSTED_PROXIES: list });
		expect(problems).toEqual([expect.stringContaining('large part of the internet')]);
	});

	test('J07: the widest private networks can be trusted', () => {
		const list = '10.0.0.0/8,fc00::/7,fe80::/10,2001:db8::/32,::ffff:10.0.0.0/104';
		expect(configOf({ AUTH_TRUSTED_PROXIES: list }).trustedProxies.kind).toBe('listed');
	});

	test('unset trusts private peers, none trusts no peer, a list trusts its entries', () => {
		expect(configOf({}).trustedProxies).toEqual({ kind: 'private' });
		expect(configOf({ AUTH_TRUSTED_PROXIES: 'none' }).trustedProxies).toEqual({ kind: 'none' });
		expect(configOf({ AUTH_TRUSTED_PROXIES: '10.0.0.0/8, ::1' }).trustedProxies).toEqual({
			kind: 'listed',
			entries: [
				expect.objectContaining({ text: '10.0.0.0/8', prefix: 8 }),
				expect.objectContaining({ text: '::1', prefix: 128 })
			]
		});
	});
});

describe('AUTH_TRUSTED_ORIGINS', () => {
	test('the shells are always included and entries are brought to canonical form', () => {
		expect(
			configOf({ AUTH_TRUSTED_ORIGINS: 'https://App.example.org:443/, myapp://open' })
				.trustedOrigins
		).toEqual([
			'capacitor://localhost',
			'ionic://localhost',
			'http://localhost',
			'https://app.example.org',
			'myapp://open'
		]);
	});

	test.each([
		'*',
		'https://a.example/path',
		'example.org',
		'https://u@a.example',
		'https://',
		'https://a.example;script-src',
		"myapp://'unsafe-inline'"
	])('%s is not an origin', (entry) => {
		expect(problemsOf({ AUTH_TRUSTED_ORIGINS: entry })).toHaveLength(1);
	});
});

test('.env.example describes every setting, and no other', () => {
	const known = new Set<string>();
	readConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }));
	const text = readFileSync('.env.example', 'utf8');
	const described: readonly string[] = text.match(/\b[A-Z]{3,}(?:_[A-Z]+)*\b/g) ?? [];
	const examples = [...text.matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);
	expect([...known].filter((name) => !described.includes(name))).toEqual([]);
	expect(examples.filter((name = '') => !known.has(name))).toEqual([]);
});

describe('the other settings', () => {
	test('all have a default except the secret and the address', () => {
		expect(configOf({})).toMatchObject({
			database: { kind: 'sqlite', url: 'file:./data/postern.db' },
			siteName: brand.name,
			supportEmail: brand.supportEmail,
			port: 3000
		});
	});

	test.each([
		['DATABASE_URL', 'mysql://root:hunter2@db/x', 'postgres://'],
		['DATABASE_URL', 'file:', 'file:'],
		['PORT', '0', '65535'],
		['PORT', '65536', '65535'],
		['PORT', '3000x', '65535'],
		['SITE_NAME', 'x'.repeat(61), '60'],
		['SITE_NAME', 'two\nlines', '60'],
		['SITE_NAME', 'Acme\u202e', '60'],
		['SITE_NAME', 'two\u2028lines', '60'],
		['SITE_NAME', '\u200b', '60'],
		['SUPPORT_EMAIL', 'help', '@'],
		['SUPPORT_EMAIL', 'help@example.org?bcc=eve@evil.test', '@'],
		['AUTH_ALLOW_HTTP', 'on', 'Set it to 1, or remove it'],
		['AUTH_ENTRY', 'both', 'single'],
		['EMAIL_BUDGET', '0', 'off'],
		['EMAIL_BUDGET', '12345678', 'off'],
		['PROOF_OF_WORK', '1', 'off'],
		['EMAIL_CHANGE_NOTICE', 'before,off', 'off'],
		['EMAIL_CHANGE_NOTICE', 'after,', 'off'],
		['EMAIL_CHANGE_NOTICE', 'After', 'off'],
		['METRICS_TOKEN', 'prometheus', 'openssl'],
		['FORWARD_ALLOW', 'example.org', '@example.org'],
		['FORWARD_ALLOW', '*,@example.org', 'Write * '],
		['FORWARD_ALLOW', '@*.example.org', 'list'],
		['AUTH_URL', 'https://example.org/auth', 'https://example.org'],
		['AUTH_TRUSTED_PROXIES', '10.0.0.0/33', '10.0.0.0/8'],
		['AUTH_TRUSTED_PROXIES', '0.0.0.0/0', 'none'],
		['AUTH_TRUSTED_ORIGINS', 'https://*.example.org', 'wildcard'],
		['DATABASE_CA', '/nonexistent/ca.pem', 'PEM']
	])('%s=%s gets one line with the variable, the reason and the remedy', (name, value, remedy) => {
		const [line = '', ...others] = problemsOf({ [name]: value });
		expect(others).toEqual([]);
		expect(line).toMatch(new RegExp(`^${name}: .{10,}\\. [A-Z]`));
		expect(line).toContain(remedy);
		expect(line).not.toMatch(/hunter2|\n|\bat .+:\d+:\d+|Error:/);
	});

	test('FORWARD_ALLOW needs a trusted proxy', () => {
		expect(problemsOf({ FORWARD_ALLOW: '*', AUTH_TRUSTED_PROXIES: 'none' })).toEqual([
			expect.stringMatching(/^FORWARD_ALLOW: .+ AUTH_TRUSTED_PROXIES/)
		]);
	});

	test.each([
		[{ EMAIL_CHANGE_NOTICE: 'after' }, ['completed']],
		[{ EMAIL_CHANGE_NOTICE: 'after,before' }, ['requested', 'completed']]
	])('%j decides when a notice of an email change is sent', (env, stages) => {
		expect(configOf(env).emailChange.noticeStages).toEqual(stages);
	});

	test.each([
		[{}, { signInLayout: 'split', signUp: 'open', proofOfWork: false, newDeviceNotices: true }],
		[{}, { docs: true, emailBudget: 'off', emailChange: { link: true, reauthentication: false } }],
		[{ DOCS: 'off' }, { docs: false }],
		[{ OIDC: 'on' }, { oidc: { mayCallPrivateAddresses: false } }],
		[{ OIDC: 'on', OIDC_PRIVATE_CLIENTS: 'on' }, { oidc: { mayCallPrivateAddresses: true } }],
		[
			{ AUTH_ENTRY: 'single', SIGN_UP: 'closed' },
			{ signInLayout: 'single', signUp: 'closed' }
		],
		[{ PROOF_OF_WORK: 'on' }, { proofOfWork: true }],
		[{ NOTICE_NEW_DEVICE: 'off' }, { newDeviceNotices: false }],
		[{ EMAIL_BUDGET: ' 2000 ' }, { emailBudget: 2000 }],
		[{ EMAIL_BUDGET: 'off' }, { emailBudget: 'off' }],
		[{ EMAIL_CHANGE_LINK: 'off' }, { emailChange: { link: false } }],
		[{ EMAIL_CHANGE_REPROOF: 'on' }, { emailChange: { reauthentication: true } }]
	])('%j means %j', (env: Record<string, string>, expected) => {
		expect(configOf(env)).toMatchObject(expected);
	});

	test('a server that sends real email starts with a line for each thing that is missing', () => {
		const key = { EMAIL_API_KEY: 're_k3J0v9Qm2', EMAIL_FROM: 'no-reply@example.org' };
		const budget = { EMAIL_BUDGET: '1' };
		const support = { SUPPORT_EMAIL: 'help@example.org' };
		const noBudget = [expect.stringMatching(/^EMAIL_BUDGET is off: .+ Set it to /)];
		const noSupport = [expect.stringMatching(/^SUPPORT_EMAIL is missing: .+ Set it to /)];
		expect(configOf({ ...key, ...support }).warnings).toEqual(noBudget);
		expect(configOf({ ...key, ...support, EMAIL_BUDGET: 'off' }).warnings).toEqual(noBudget);
		expect(configOf({ ...key, ...budget }).warnings).toEqual(noSupport);
		expect(configOf({ ...key, ...budget, ...support }).warnings).toEqual([]);
		expect(configOf({}).warnings).toEqual([]);
	});

	test('the error for an invalid choice lists the choices', () => {
		expect(problemsOf({ SIGN_UP: 'no' })).toEqual([
			'SIGN_UP: "no" is not a valid value. Set it to open or closed'
		]);
		expect(problemsOf({ EMAIL_CHANGE_NOTICE: 'never' })).toEqual([
			'EMAIL_CHANGE_NOTICE: "never" is not a valid value. Set it to before, after, both as before,after, or off'
		]);
	});

	test('the port comes from a local public address, unless PORT is set', () => {
		expect(configOf({ AUTH_URL: 'http://localhost:4100' }).port).toBe(4100);
		expect(configOf({ AUTH_URL: 'http://localhost:4100', PORT: '5000' }).port).toBe(5000);
		expect(
			configOf({ AUTH_URL: 'https://auth.example.org:8443', EMAIL_CONSOLE: 'allow' }).port
		).toBe(3000);
	});

	test('N02: a secret that a list of former ones could not hold is refused', () => {
		expect(problemsOf({ AUTH_SECRET: `${SECRET},x` })).toHaveLength(1);
		expect(problemsOf({ AUTH_SECRET: `${SECRET} x` })).toHaveLength(1);
		expect(problemsOf({ METRICS_TOKEN: `${SECRET},x` })).toEqual([]);
	});
});
