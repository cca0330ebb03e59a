import { describe, expect, it } from 'vitest';
import { nodePublicKeys } from '#lib/adapters/mail/records/node-public-keys.ts';
import { checkDkim } from '#lib/domain/delivery/records/check-dkim.ts';
import { recordsOf } from '#lib/domain/delivery/records/providers.ts';
import { zoneLookup, type DnsEntry, type DnsZone } from '../../../support/mail/dns-zone.ts';
import { dkimKey, ed25519Key, rsaKey } from '../../../support/mail/sender-zone.ts';

interface Options {
	readonly named?: readonly string[];
	readonly smtpHost?: string;
	readonly domains?: readonly string[];
}

const check = async (zone: DnsZone, options: Options = {}) => {
	const { named = [], smtpHost = 'mail.example.org', domains = ['example.org'] } = options;
	const wish = { domains, named, provider: recordsOf(smtpHost) };
	const { sections, signers, isUncertain } = await checkDkim(
		zoneLookup(zone),
		nodePublicKeys(),
		wish
	);
	return {
		lines: sections.flatMap(({ name, findings }) =>
			findings.map(({ level, text }) => `${name} ${level}: ${text}`)
		),
		sets: sections.flatMap(({ findings }) => findings.flatMap(({ set }) => set ?? [])),
		signers,
		isUncertain
	};
};
/** The findings about one record under a selector that the operator named. */
const checkText = async (...txt: string[]) => {
	const { lines, sets, signers } = await check(
		{ 's._domainkey.example.org': { txt } },
		{ named: ['s'] }
	);
	return {
		lines: lines.map((line) => line.replace('s._domainkey.example.org ', '')),
		values: [...new Set(sets.map(({ value }) => value))],
		isUsable: signers.length > 0
	};
};
const NEW_KEY = 'v=DKIM1; k=rsa; p=<the public key that your provider or mail server shows>';

describe('a DKIM key', () => {
	it.each([
		['in the usual form', dkimKey()],
		['without the version and the type', `p=${rsaKey()}`],
		[
			'with spaces',
			`v=DKIM1 ; k=rsa; n=a note; s=email; h=sha1:sha256; t=s; p=${rsaKey().slice(0, 80)} ${rsaKey().slice(80)};`
		]
	])('is in order %s', async (_, text) => {
		expect(await checkText(text)).toEqual({
			lines: ['ok: a key of 2048 bits'],
			values: [],
			isUsable: true
		});
	});

	it.each([
		['revoked', 'v=DKIM1; p=', 'error: the key is revoked', NEW_KEY],
		['missing', 'v=DKIM1; k=rsa', 'error: it has no key', NEW_KEY],
		['of 512 bits', dkimKey(512), 'error: the key has 512 bits', NEW_KEY],
		['cut', `v=DKIM1; p=${rsaKey().slice(0, 200)}`, 'error: the key cannot be read', NEW_KEY],
		['no base64', 'v=DKIM1; p=***', 'error: the key cannot be read', NEW_KEY],
		[
			'of an unknown type',
			`v=DKIM1; k=dsa; p=${rsaKey()}`,
			'error: the key type "dsa" is unknown',
			NEW_KEY
		],
		['RSA called Ed25519', `v=DKIM1; k=ed25519; p=${rsaKey()}`, 'error: "k=ed25519", but', NEW_KEY],
		['Ed25519 called RSA', `v=DKIM1; k=rsa; p=${ed25519Key()}`, 'error: "k=rsa", but', NEW_KEY],
		[
			'Ed25519 in a structure',
			`v=DKIM1; k=ed25519; p=${ed25519Key('spki')}`,
			'error: "k=ed25519", but',
			NEW_KEY
		],
		[
			'of another version',
			`v=DKIM2; p=${rsaKey()}`,
			'error: "v=DKIM1" must be its first tag',
			`v=DKIM1; p=${rsaKey()}`
		],
		[
			'with a late version',
			`p=${rsaKey()}; v=DKIM1`,
			'error: "v=DKIM1" must be',
			`v=DKIM1; p=${rsaKey()}`
		],
		[
			'for sha1 only',
			`v=DKIM1; h=sha1; p=${rsaKey()}`,
			'error: "h" does not permit sha256',
			`v=DKIM1; p=${rsaKey()}`
		],
		[
			'for another service',
			`v=DKIM1; s=tlsrpt; p=${rsaKey()}`,
			'error: "s" does not permit email',
			`v=DKIM1; p=${rsaKey()}`
		],
		[
			'with backslashes',
			`v=DKIM1\\; k=rsa\\; p=${rsaKey()}`,
			'error: it contains backslashes',
			dkimKey()
		],
		[
			'with a repeated tag',
			`v=DKIM1; k=rsa; k=rsa; p=${rsaKey()}`,
			'error: the tag "k" appears more than once',
			dkimKey()
		],
		[
			'with a part that is no tag',
			`v=DKIM1; rsa; p=${rsaKey()}`,
			'error: "rsa" is not of the form',
			`v=DKIM1; p=${rsaKey()}`
		],
		[
			'with a control character',
			`v=DKIM1; x=\x1b[2J; p=${rsaKey()}`,
			'error: "x=\x1b[2J" is not of the form',
			`v=DKIM1; p=${rsaKey()}`
		]
	])('is %s', async (_, text, line, value) => {
		const { lines, values, isUsable } = await checkText(text);
		expect(lines[0]).toContain(line);
		expect(values).toEqual([value]);
		expect(isUsable).toBe(false);
	});

	it.each([
		['of 1024 bits', dkimKey(1024), 'warning: the key has 1024 bits', NEW_KEY],
		[
			'in test mode',
			`v=DKIM1; t=y:s; p=${rsaKey()}`,
			'warning: test mode',
			`v=DKIM1; p=${rsaKey()}; t=s`
		]
	])('is %s, but works', async (_, text, line, value) => {
		const { lines, values, isUsable } = await checkText(text);
		expect(lines[0]).toContain(line);
		expect(values).toEqual([value]);
		expect(isUsable).toBe(true);
	});

	it('of the type Ed25519 needs an RSA key beside it', async () => {
		const { lines, isUsable } = await checkText(`v=DKIM1; k=ed25519; p=${ed25519Key()}`);
		expect(lines).toEqual([expect.stringContaining('warning: many receivers do not know Ed25519')]);
		expect(isUsable).toBe(true);
	});

	it('is there twice, or another text stands in its place', async () => {
		expect((await checkText(dkimKey(), dkimKey(1024))).lines).toEqual([
			expect.stringContaining('error: there are 2 keys')
		]);
		expect((await checkText('hello')).lines).toEqual(['error: "hello" is not a DKIM key']);
		expect((await checkText('unrelated', dkimKey())).isUsable).toBe(true);
	});
});

describe('the selector', () => {
	const key: DnsEntry = { txt: [dkimKey()] };
	const revoked: DnsEntry = { txt: ['v=DKIM1; p='] };

	it('that the operator names must have a key', async () => {
		const zone = { 'one._domainkey.example.org': key };
		const { lines, sets, signers } = await check(zone, { named: ['one', 'two'] });
		expect(lines).toEqual([
			'one._domainkey.example.org ok: a key of 2048 bits',
			'two._domainkey.example.org error: there is no DKIM key'
		]);
		expect(sets).toEqual([{ name: 'two._domainkey.example.org', type: 'TXT', value: NEW_KEY }]);
		expect(signers).toEqual(['example.org']);
	});

	it('is the one of the provider', async () => {
		const resend = { smtpHost: 'smtp.resend.com' };
		const found = await check({ 'resend._domainkey.example.org': key }, resend);
		expect(found.lines).toEqual(['resend._domainkey.example.org ok: a key of 2048 bits']);
		const missing = await check({ 'mail._domainkey.example.org': key }, resend);
		expect(missing.lines).toEqual(['resend._domainkey.example.org error: there is no DKIM key']);
		expect(missing.sets).toEqual([
			{ name: 'resend._domainkey.example.org', type: 'TXT', value: NEW_KEY }
		]);
	});

	it('is an alias at some providers', async () => {
		const fastmail = { smtpHost: 'smtp.fastmail.com' };
		const { sets } = await check({}, fastmail);
		expect(sets).toEqual([
			{
				name: 'fm1._domainkey.example.org',
				type: 'CNAME',
				value: 'fm1.example.org.dkim.fmhosted.com'
			}
		]);
		const { lines } = await check(
			{ 'fm1._domainkey.example.org': { cname: 'gone.example.net' } },
			fastmail
		);
		expect(lines).toEqual([
			'fm1._domainkey.example.org error: it is an alias for "gone.example.net", which has no key'
		]);
		const { signers } = await check(
			{ 'fm1._domainkey.example.org': { cname: 'key.example.net' }, 'key.example.net': key },
			fastmail
		);
		expect(signers).toEqual(['example.org']);
	});

	it('may have a revoked key if another of the provider works', async () => {
		const sendgrid = { smtpHost: 'smtp.sendgrid.net' };
		const zone = { 's1._domainkey.example.org': revoked, 's2._domainkey.example.org': key };
		const { lines, signers } = await check(zone, sendgrid);
		expect(lines[0]).toContain('warning: the key is revoked');
		expect(signers).toEqual(['example.org']);
		const only = await check({ 's1._domainkey.example.org': revoked }, sendgrid);
		expect(only.lines[0]).toContain('error: the key is revoked');
		expect(only.signers).toEqual([]);
	});

	it('is guessed for other servers, and the output says so', async () => {
		const { lines } = await check({ 'mail._domainkey.example.org': key });
		expect(lines).toEqual([
			'mail._domainkey.example.org ok: a key of 2048 bits',
			expect.stringContaining('ok: the selector is a guess')
		]);
	});

	it('is unknown, which differs from no key at all', async () => {
		const unknown = await check({ 'x2026._domainkey.example.org': key });
		expect(unknown.lines).toEqual([
			expect.stringContaining('_domainkey.example.org unchecked: there are keys')
		]);
		expect(unknown.isUncertain).toBe(true);
		const none = await check({});
		expect(none.lines).toEqual([
			expect.stringContaining('_domainkey.example.org error: there is no DKIM key under any')
		]);
		expect(none.sets[0]?.name).toBe('<selector>._domainkey.example.org');
	});

	it('may belong to the domain above', async () => {
		const domains = ['mail.example.org', 'example.org'];
		const zone = { 's._domainkey.example.org': key };
		const { signers } = await check(zone, { named: ['s'], domains });
		expect(signers).toEqual(['example.org']);
	});

	it('cannot be checked when a lookup fails', async () => {
		const zone = { 's._domainkey.example.org': { behaviour: 'silent' } } as const;
		const { lines, isUncertain } = await check(zone, { named: ['s'] });
		expect(lines).toEqual([expect.stringContaining('unchecked: TXT of s._domainkey.example.org')]);
		expect(isUncertain).toBe(true);
	});
});
