import { describe, it } from 'vitest';
import { startDnsServer } from '../../support/mail/dns-server.ts';
import type { DnsEntry, DnsZone } from '../../support/mail/dns-zone.ts';
import { runMailCheck, type Run } from '../../support/mail/run-mail-check.ts';
import { dkimKey, rsaKey, soundZone } from '../../support/mail/sender-zone.ts';

const SELECTOR = ['--selector', 'mail'];

/** Runs the check against a DNS server of its own, which no email follows. */
const check = async (
	zone: DnsZone,
	args: readonly string[] = SELECTOR,
	settings: Readonly<Record<string, string>> = {}
): Promise<Run & { readonly overTcp: readonly string[] }> => {
	const server = await startDnsServer(zone);
	try {
		const run = await runMailCheck(['--records', '--dns', server.address, ...args], settings);
		return { ...run, overTcp: [...server.overTcp] };
	} finally {
		await server.stop();
	}
};

const spf = (text: string, ...others: string[]): DnsZone => ({
	'example.org': { txt: [text, ...others], mx: [[10, 'mx.example.org']], a: ['192.0.2.1'] }
});
const dkim = (entry: DnsEntry): DnsZone => ({ 'mail._domainkey.example.org': entry });
const dmarc = (entry: DnsEntry): DnsZone => ({ '_dmarc.example.org': entry });
const mx = (entry: DnsEntry): DnsZone => ({
	'example.org': { txt: ['v=spf1 ip4:192.0.2.2 -all'], ...entry }
});
const include = (domain: string): string => `v=spf1 include:${domain} -all`;

describe.concurrent('npm run mail:check -- --records', () => {
	it('finds nothing wrong, and sends no email', async ({ expect }) => {
		const { status, output } = await check(soundZone());
		expect(output.split('\n')).toEqual([
			'[postern] DNS records of example.org (the domain of EMAIL_FROM)',
			'[postern] SPF: example.org',
			'[postern]   ok: "v=spf1 mx -all", DNS lookups: 1',
			'[postern] DKIM: mail._domainkey.example.org',
			'[postern]   ok: a key of 2048 bits',
			'[postern] DMARC: _dmarc.example.org',
			'[postern]   ok: "v=DMARC1; p=reject; rua=mailto:dmarc@example.org"',
			'[postern] Alignment: example.org',
			'[postern]   ok: DKIM: example.org (relaxed)',
			'[postern]   ok: SPF: example.org (relaxed)',
			'[postern] MX: example.org',
			'[postern]   ok: 10 mx.example.org',
			'[postern] DNS records: 0 wrong, 0 not checked, 0 could be better',
			''
		]);
		expect(status).toBe(0);
	});

	it('prints the name, the type and the value of the record to set', async ({ expect }) => {
		const { status, output } = await check(soundZone(spf('v=spf1 ipv4:192.0.2.1 +all')));
		expect(output).toContain(
			[
				'[postern] SPF: example.org',
				'[postern]   wrong: the term "ipv4:192.0.2.1" is misspelt. It should probably be "ip4:192.0.2.1"',
				'[postern]   wrong: "+all" permits every server to send for this domain',
				'[postern]     set  name   example.org',
				'[postern]          type   TXT',
				'[postern]          value  v=spf1 ip4:192.0.2.1 ~all',
				'[postern] DKIM'
			].join('\n')
		);
		expect(status).toBe(2);
	});

	const loop = { 'loop.example.net': { txt: [include('example.org')] } };
	const many = Object.fromEntries(
		Array.from({ length: 11 }, (_, at) => [
			`s${at}.example.net`,
			{ txt: [include(`s${at + 1}.example.net`)] }
		])
	);

	it.for<[fault: string, changes: DnsZone, line: string, status: number]>([
		['no SPF record', spf('unrelated'), 'wrong: there is no SPF record', 2],
		[
			'two SPF records',
			spf('v=spf1 a -all', 'v=spf1 mx -all'),
			'wrong: there are 2 SPF records',
			2
		],
		['an SPF syntax error', spf('v=spf1 hello -all'), 'wrong: the term "hello" is not a known', 2],
		[
			'too many lookups',
			{ ...spf(include('s0.example.net')), ...many },
			'wrong: it causes 12 DNS lookups',
			2
		],
		['+all', spf('v=spf1 +all'), 'wrong: "+all" permits every server', 2],
		['?all', spf('v=spf1 a ?all'), 'better: "?all" says nothing', 0],
		[
			'a loop',
			{ ...spf(include('loop.example.net')), ...loop },
			'leads back to example.org: a loop',
			2
		],
		['no DKIM key', dkim({}), 'wrong: there is no DKIM key', 2],
		['a revoked key', dkim({ txt: ['v=DKIM1; p='] }), 'wrong: the key is revoked', 2],
		['a key of 512 bits', dkim({ txt: [dkimKey(512)] }), 'wrong: the key has 512 bits', 2],
		['a key of 1024 bits', dkim({ txt: [dkimKey(1024)] }), 'better: the key has 1024 bits', 0],
		[
			'a key of another type',
			dkim({ txt: [`k=ed25519; p=${rsaKey()}`] }),
			'wrong: "k=ed25519", but',
			2
		],
		['test mode', dkim({ txt: [`${dkimKey()}; t=y`] }), 'better: test mode', 0],
		['no DMARC record', dmarc({}), 'wrong: there is no DMARC record', 2],
		[
			'p=none',
			dmarc({ txt: ['v=DMARC1; p=none; rua=mailto:d@example.org'] }),
			'better: "p=none" only',
			0
		],
		['a bad tag', dmarc({ txt: ['v=DMARC1; p=no'] }), 'wrong: "no" is not a valid value of "p"', 2],
		['no MX record', mx({ a: ['192.0.2.1'] }), 'better: there is no MX record', 0],
		['no MX record and no address', mx({}), 'wrong: there is neither an MX record', 2],
		['the null MX', mx({ mx: [[0, '.']] }), 'wrong: the null MX', 2],
		[
			'SERVFAIL',
			dmarc({ behaviour: 'servfail' }),
			'not checked: TXT of _dmarc.example.org: the DNS server reported a failure (SERVFAIL)',
			3
		],
		[
			'a refusal',
			dkim({ behaviour: 'refused' }),
			'not checked: TXT of mail._domainkey.example.org: the DNS server refused',
			3
		],
		[
			'silence',
			dmarc({ behaviour: 'silent' }),
			'not checked: TXT of _dmarc.example.org: the DNS server did not answer in time',
			3
		],
		[
			'garbage',
			dkim({ behaviour: 'garbage' }),
			'not checked: TXT of mail._domainkey.example.org: the answer of the DNS server could not be read',
			3
		],
		[
			'a long text',
			dkim({ txt: [`v=DKIM1; p=${'A'.repeat(5000)}`] }),
			'not checked: TXT of mail._domainkey.example.org: the answer of the DNS server is too long',
			3
		]
	])('reports %s', async ([, changes, line, status], { expect }) => {
		const run = await check(soundZone(changes));
		expect(run.output).toContain(line);
		expect(run.status).toBe(status);
	});

	it('reports a domain without any record: NXDOMAIN', async ({ expect }) => {
		const { status, output } = await check({}, []);
		for (const reason of [
			'there is no SPF record',
			'there is no DKIM key under any selector',
			'there is no DMARC record',
			'there is neither an MX record nor an address'
		]) {
			expect(output).toContain(`wrong: ${reason}`);
		}
		expect(status).toBe(2);
	});

	it('reads truncated and long answers over TCP', async ({ expect }) => {
		const { txt: [key = ''] = [] } = soundZone()['mail._domainkey.example.org'] ?? {};
		const { status, overTcp } = await check(
			soundZone({
				...dkim({ txt: [key], behaviour: 'truncated' }),
				...spf('v=spf1 mx -all', ...Array.from({ length: 40 }, (_, at) => `${at}`.repeat(100)))
			})
		);
		expect(overTcp).toContain('mail._domainkey.example.org');
		expect(overTcp).toContain('example.org');
		expect(status).toBe(0);
	});

	it('finds the DMARC record of the organisation, which can demand too much', async ({
		expect
	}) => {
		const zone = soundZone({
			...dmarc({ txt: ['v=DMARC1; p=reject; adkim=s; rua=mailto:d@example.org'] }),
			'login.example.org': { mx: [[10, 'mx.example.org']] }
		});
		const args = [...SELECTOR, '--return-path', 'bounce.example.org'];
		const { status, output } = await check(zone, args, {
			EMAIL_FROM: 'no-reply@login.example.org'
		});
		expect(output).toContain('[postern] DMARC: _dmarc.example.org\n[postern]   ok:');
		expect(output).toContain(
			'wrong: DKIM passes for example.org, but "adkim=s" needs exactly login.example.org'
		);
		expect(output).toContain('value  v=DMARC1; p=reject; adkim=r; rua=mailto:d@example.org');
		expect(status).toBe(2);
	});

	it('guesses the selector and the return path from the provider', async ({ expect }) => {
		const settings = { EMAIL_HOST: '', EMAIL_SERVICE: 'Resend', EMAIL_ALLOW_PLAIN: '' };
		const { output } = await check({}, [], settings);
		expect(output).toContain(
			'[postern] SPF: send.example.org\n[postern]   wrong: there is no SPF record'
		);
		expect(output).toContain('value  v=spf1 include:amazonses.com ~all');
		expect(output).toContain('[postern] DKIM: resend._domainkey.example.org\n[postern]   wrong:');
	});

	it('prints no control characters and no line that a record brings', async ({ expect }) => {
		const evil = '\x1b[2J\r\n[postern] all is well\x9b1A\x07';
		const { output } = await check(
			soundZone({
				...spf(`v=spf1 ${evil} -all`),
				...dkim({ txt: [`v=DKIM1; ${evil}; p=${evil}`] }),
				...dmarc({ txt: [`v=DMARC1; p=none; ${evil}; rua=mailto:${evil}`] }),
				'mx.example.org': { cname: 'evil' }
			})
		);
		expect(output).toContain('\\u{1b}[2J\\u{d}\\u{a}[postern]');
		expect(output).not.toMatch(/(?!\n)\p{Cc}/u);
		for (const line of output.trimEnd().split('\n')) expect(line).toMatch(/^\[postern\] /);
		expect(output).not.toContain('\n[postern] all is well');
	});

	it.for<[args: string[], line: string]>([
		[['--dns', 'example.org'], '--dns needs an IP address'],
		[['--selector', 'a b'], '"a b" is not a name in the DNS'],
		[['--return-path', 'x..y'], '"x..y" is not a name in the DNS'],
		[['--selektor', 'mail'], "Unknown option '--selektor'"],
		[['ada@example.com'], '--records sends no email, so it takes no recipient']
	])('refuses the arguments %s', async ([args, line], { expect }) => {
		const { status, output } = await runMailCheck(['--records', ...args]);
		expect(output).toContain(line);
		expect(status).toBe(1);
	});
});
