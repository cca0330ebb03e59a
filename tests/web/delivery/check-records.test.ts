import { describe, expect, it } from 'vitest';
import { checkRecords, type Dns, type SendingDomain } from '../../../bin/lib/check-records.ts';

interface Entry {
	/** A list within the list is one record of several strings. */
	readonly txt?: readonly (string | string[])[];
	readonly mx?: readonly string[];
	/** The code of the error that every question about the name gets. */
	readonly fails?: string;
}
type Zone = Readonly<Record<string, Entry>>;

const dnsOf = (zone: Zone): Dns => {
	const look = async <T>(name: string, read: (entry: Entry) => T | undefined): Promise<T> => {
		const entry = zone[name];
		const records = entry && read(entry);
		if (entry?.fails === undefined && records !== undefined) return records;
		const code = entry === undefined ? 'ENOTFOUND' : (entry.fails ?? 'ENODATA');
		throw Object.assign(new Error(`queryTxt ${code} ${name}`), { code });
	};
	return {
		resolveTxt: (name) =>
			look(name, ({ txt }) => txt?.map((text) => (typeof text === 'string' ? [text] : text))),
		resolveMx: (name) => look(name, ({ mx }) => mx?.map((exchange) => ({ priority: 10, exchange })))
	};
};

/** Everything that a sender through Resend needs. */
const sound: Zone = {
	'send.example.org': { txt: ['v=spf1 include:amazonses.com ~all'] },
	'resend._domainkey.example.org': { txt: [['p=MIGf', 'MA0G']] },
	'_dmarc.example.org': { txt: ['v=DMARC1; p=reject'] },
	'example.org': { txt: ['other=text'], mx: ['mx.example.org'] }
};
const resend: SendingDomain = { domain: 'example.org', smtpHost: 'smtp.resend.com', selectors: [] };
const own: SendingDomain = {
	domain: 'example.org',
	smtpHost: 'mail.example.org',
	selectors: ['mail']
};

const check = (changes: Zone = {}, sender: Partial<SendingDomain> = {}) =>
	checkRecords(dnsOf({ ...sound, ...changes }), { ...resend, ...sender });

describe('the records of a sender', () => {
	it('are in order', async () => {
		expect(await check()).toEqual({
			lines: [
				'DNS records of example.org (the domain of EMAIL_FROM)',
				'  ok: SPF: send.example.org includes your provider (amazonses.com)',
				'  ok: DKIM: resend._domainkey.example.org has a key',
				'  ok: DMARC: _dmarc.example.org has the policy reject',
				'  ok: MX: example.org receives email at mx.example.org'
			],
			status: 0
		});
	});

	it('are missing: name, type and value of each are printed', async () => {
		const { lines, status } = await checkRecords(dnsOf({}), resend);
		expect(lines.slice(1)).toEqual([
			'  wrong: SPF: send.example.org has no record',
			'    set  name   send.example.org',
			'         type   TXT',
			'         value  v=spf1 include:amazonses.com ~all',
			expect.stringContaining('  wrong: DKIM: resend._domainkey.example.org has no key.'),
			'    set  name   resend._domainkey.example.org',
			'         type   TXT or CNAME',
			'         value  <the key that your provider or mail server shows>',
			'  wrong: DMARC: _dmarc.example.org has no record',
			'    set  name   _dmarc.example.org',
			'         type   TXT',
			'         value  v=DMARC1; p=none; rua=mailto:dmarc@example.org',
			'  better: MX: example.org has no mail server, so bounces and replies are lost'
		]);
		expect(status).toBe(2);
	});

	const spf = (...txt: string[]): Zone => ({ 'send.example.org': { txt } });
	const dkim = (...txt: string[]): Zone => ({ 'resend._domainkey.example.org': { txt } });
	const dmarc = (...txt: string[]): Zone => ({ '_dmarc.example.org': { txt } });

	it.each<
		[what: string, changes: Zone, sender: Partial<SendingDomain>, line: string, status: number]
	>([
		[
			'the provider at the end of an SPF record',
			spf('v=spf1 ip4:192.0.2.1 -all'),
			{},
			'value  v=spf1 ip4:192.0.2.1 include:amazonses.com -all',
			2
		],
		[
			'the provider before the redirect of an SPF record',
			spf('v=spf1 redirect=_spf.example.net'),
			{},
			'value  v=spf1 include:amazonses.com redirect=_spf.example.net',
			2
		],
		...['v=spf1 -all', 'v=spf1 ?all', 'v=spf1 redirect=_spf.example.net -all'].map(
			(record): [string, Zone, Partial<SendingDomain>, string, number] => [
				`the provider that is missing in ${record}`,
				{ ...spf(record), '_spf.example.net': { txt: ['v=spf1 include:amazonses.com -all'] } },
				{},
				`value  v=spf1 include:amazonses.com ${record.endsWith('?all') ? '?' : '-'}all`,
				2
			]
		),
		[
			'the provider after the end of an SPF record',
			spf('v=spf1 -all include:amazonses.com'),
			{},
			'value  v=spf1 include:amazonses.com -all',
			2
		],
		[
			'the provider behind a redirect',
			{
				...spf('v=spf1 redirect=_spf.example.net'),
				'_spf.example.net': { txt: ['v=spf1 include:amazonses.com ?all'] }
			},
			{},
			'ok: SPF: send.example.org includes',
			0
		],
		...['v=spf1 -all', 'v=spf1 ?all', 'v=spf1 -all mx', 'v=spf1 -mx ~all'].map(
			(record): [string, Zone, Partial<SendingDomain>, string, number] => [
				`no server that ${record} permits`,
				{ 'example.org': { txt: [record], mx: ['mx.example.org'] } },
				own,
				'wrong: SPF: example.org permits no server',
				2
			]
		),
		...['v=spf1 a -all', 'v=spf1 ip4:192.0.2.1 ?all', 'v=spf1 redirect=_spf.example.net'].map(
			(record): [string, Zone, Partial<SendingDomain>, string, number] => [
				`the servers of ${record}`,
				{ 'example.org': { txt: [record], mx: ['mx.example.org'] } },
				own,
				`ok: SPF: example.org has "${record}"`,
				2
			]
		),
		[
			'an SPF record that another one includes',
			{
				...spf('v=spf1 include:%{i}.example.net include:_spf.example.net -all'),
				'_spf.example.net': { txt: ['v=spf1 include:_spf.example.net include:AmazonSES.com ~all'] }
			},
			{},
			'ok: SPF: send.example.org includes',
			0
		],
		[
			'two SPF records',
			spf('v=spf1 a -all', 'v=spf1 mx -all'),
			{},
			'wrong: SPF: send.example.org has 2 records',
			2
		],
		['the provider with its own return path', {}, { smtpHost: 'smtp.sendgrid.net' }, 'ok: SPF', 2],
		['the servers of an own mail server', {}, own, 'value  v=spf1 mx ~all', 2],
		['a revoked key', dkim('v=DKIM1; p='), {}, 'wrong: DKIM: resend._domainkey', 2],
		['an unknown selector', {}, { ...own, selectors: [] }, 'not checked: DKIM: the selector', 2],
		[
			'each selector that is named',
			dkim('v=DKIM1; k=rsa; p=MIGf'),
			{ selectors: ['resend', 'old'] },
			'wrong: DKIM: old._domainkey.example.org has no key',
			2
		],
		[
			'one of the usual selectors',
			{ 'selector2._domainkey.example.org': { txt: ['p=MIGf'] } },
			{ smtpHost: 'smtp.office365.com' },
			'ok: DKIM: selector2._domainkey.example.org',
			2
		],
		[
			'keys and policies of the domain above',
			{ ...dmarc('v=DMARC1; p=none; sp=reject') },
			{ domain: 'login.example.org' },
			'ok: DMARC: _dmarc.example.org has the policy reject',
			2
		],
		[
			'a policy that only asks for reports',
			dmarc('v=DMARC1;p=none; rua=mailto:d@example.org'),
			{},
			'value  v=DMARC1;p=quarantine; rua=mailto:d@example.org',
			0
		],
		[
			'an invalid policy',
			dmarc('v=DMARC1; p=no'),
			{},
			'wrong: DMARC: _dmarc.example.org has no',
			2
		],
		['two policies', dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject'), {}, 'has 2 records', 2],
		['the null MX', { 'example.org': { mx: [''] } }, {}, 'better: MX: example.org has no', 0]
	])('say %s', async (_, changes, sender, line, status) => {
		const checked = await check(changes, sender);
		expect(checked.lines.join('\n')).toContain(line);
		expect(checked.status).toBe(status);
	});

	it.each([
		['ETIMEOUT', 'the DNS server did not answer in time'],
		['ECONNREFUSED', 'the DNS server cannot be reached'],
		['ESERVFAIL', 'the DNS server reported a failure (SERVFAIL)'],
		['EREFUSED', 'the DNS server refused the question'],
		['EBADRESP', 'the lookup failed (EBADRESP)']
	])('are not checked after %s, which is no missing record', async (fails, reason) => {
		const one = await check({ '_dmarc.example.org': { fails } });
		expect(one.lines[3]).toContain(`  not checked: DMARC: ${reason}`);
		expect([one.lines.length, one.status]).toEqual([5, 3]);
		const included = await check({
			...spf('v=spf1 include:_spf.example.net -all'),
			'_spf.example.net': { fails }
		});
		expect(included.lines[1]).toContain(`  not checked: SPF: ${reason}`);
	});

	it('are not checked without any DNS', async () => {
		const zone = Object.keys(sound).map((name) => [name, { fails: 'ETIMEOUT' }]);
		const { lines, status } = await check(Object.fromEntries(zone));
		expect(lines.slice(1)).toEqual(
			['SPF', 'DKIM', 'DMARC', 'MX'].map(
				(topic) => `  not checked: ${topic}: the DNS server did not answer in time`
			)
		);
		expect(status).toBe(3);
	});

	it('of a domain that exists only for tests are not looked up', async () => {
		const { lines, status } = await check({}, { domain: 'auth.example.test' });
		expect(lines).toEqual([
			'no DNS records to check: auth.example.test exists only for tests and private networks'
		]);
		expect(status).toBe(0);
	});

	it('print no control characters, and not thousands of characters', async () => {
		const { lines } = await check({
			...spf('v=spf1 \x1b[2J\n[postern] all is well -all'),
			...dmarc(`v=DMARC1; p=none; ${'x'.repeat(60_000)}`)
		});
		expect(lines.join('')).toContain('\\u{1b}[2J');
		expect(lines.join('')).not.toMatch(/\p{Cc}/u);
		expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(2_000);
	});
});
