import { describe, expect, it } from 'vitest';
import { registrableDomain } from '#lib/adapters/mail/records/public-suffixes.ts';
import { checkDmarc } from '#lib/domain/delivery/records/check-dmarc.ts';
import { zoneLookup, type DnsZone } from '../../../support/mail/dns-zone.ts';

const organisationOf = (domain: string): string => registrableDomain(domain) ?? domain;

const check = async (zone: DnsZone, domain = 'example.org') => {
	const wish = { domain, organisation: organisationOf(domain), organisationOf };
	const { section, applies } = await checkDmarc(zoneLookup(zone), wish);
	const sets = section.findings.flatMap(({ set }) => set ?? []);
	return {
		name: section.name,
		lines: section.findings.map(({ level, text }) => `${level}: ${text}`),
		sets: sets.map(({ name, type, value }) => `${name} ${type} ${value}`),
		applies
	};
};
const publish = (...txt: string[]): DnsZone => ({ '_dmarc.example.org': { txt } });
const RUA = 'rua=mailto:dmarc@example.org';

describe('the DMARC record', () => {
	it.each([
		[`v=DMARC1; p=reject; ${RUA}`],
		[`v=DMARC1;p=quarantine;sp=reject;np=reject;adkim=s;aspf=R;fo=1:d:s;t=n;psd=n;pct=100;${RUA};`],
		[`v = DMARC1 ; p = REJECT ; rua=mailto:dmarc@example.org!10m,mailto:b@example.org`]
	])('%s is in order', async (text) => {
		const { lines, sets } = await check(publish(text));
		expect(lines).toEqual([expect.stringMatching(/^ok: /)]);
		expect(sets).toEqual([]);
	});

	it('is missing', async () => {
		for (const zone of [{}, publish('unrelated'), { 'example.org': { a: ['192.0.2.1'] } }]) {
			const { lines, sets, applies } = await check(zone);
			expect(lines).toEqual(['error: there is no DMARC record']);
			expect(sets).toEqual([`_dmarc.example.org TXT v=DMARC1; p=none; ${RUA}`]);
			expect(applies).toBeNull();
		}
	});

	it.each([
		'v=dmarc1; p=none',
		'dmarc1; p=none',
		'DMARC1 p=none',
		'"v=DMARC1; p=none"',
		'v=DMARC12; p=none'
	])('%s is not read as DMARC', async (text) => {
		const { lines, sets } = await check(publish(text));
		expect(lines).toEqual([expect.stringContaining('is not read as DMARC')]);
		expect(sets).toEqual([`_dmarc.example.org TXT v=DMARC1; p=none; ${RUA}`]);
	});

	it('is there twice', async () => {
		const { lines, applies } = await check(publish('v=DMARC1; p=none', 'v=DMARC1; p=reject'));
		expect(lines).toEqual([expect.stringContaining('error: there are 2 DMARC records')]);
		expect(applies).toBeNull();
	});

	it.each([
		[`v=DMARC1; ${RUA}`, 'error: it has no policy', `v=DMARC1; p=none; ${RUA}`],
		[
			`v=DMARC1; p=block; ${RUA}`,
			'error: "block" is not a valid value of "p"',
			`v=DMARC1; p=none; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; sp=no; ${RUA}`,
			'error: "no" is not a valid value of "sp"',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; adkim=strict; ${RUA}`,
			'error: "strict" is not a valid value of "adkim"',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; pct=200; ${RUA}`,
			'error: "200" is not a valid value of "pct"',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; p=none; ${RUA}`,
			'error: the tag "p" appears more than once',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject ${RUA}`,
			`error: "reject ${RUA}" is not a valid value of "p"`,
			'v=DMARC1; p=none; rua=mailto:dmarc@example.org'
		],
		[
			`v=DMARC1; p=reject; ${RUA}; hello`,
			'error: "hello" is not of the form name=value',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; x=\x1b[2J; ${RUA}`,
			'error: "x=\x1b[2J" is not of the form',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			'v=DMARC1; p=reject; rua=dmarc@example.org',
			'error: "dmarc@example.org" in "rua" is not of the form',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; ${RUA},b@example.org`,
			'error: "b@example.org" in "rua"',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; policy=1; ${RUA}`,
			'warning: receivers ignore the tag "policy"',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; constructor=1; ${RUA}`,
			'warning: receivers ignore the tag "constructor"',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[
			`v=DMARC1; p=reject; pct=50; ${RUA}`,
			'warning: "pct=50" applies',
			`v=DMARC1; p=reject; ${RUA}`
		],
		[`v=DMARC1; p=reject; t=y; ${RUA}`, 'warning: test mode', `v=DMARC1; p=reject; ${RUA}`],
		['v=DMARC1; p=reject', 'warning: it names no address for reports', `v=DMARC1; p=reject; ${RUA}`]
	])('%s: names the fault and the record to set', async (text, line, value) => {
		const { lines, sets } = await check(publish(text));
		expect(lines[0]).toContain(line);
		expect(new Set(sets)).toEqual(new Set([`_dmarc.example.org TXT ${value}`]));
		expect((await check(publish(value))).lines).toEqual([expect.stringMatching(/^(?:ok|warning)/)]);
	});

	it('with p=none only asks for reports', async () => {
		const { lines, sets } = await check(publish(`v=DMARC1; p=none; ${RUA}`));
		expect(lines).toEqual([expect.stringContaining('warning: "p=none" only asks for reports')]);
		expect(sets).toEqual([`_dmarc.example.org TXT v=DMARC1; p=quarantine; ${RUA}`]);
	});

	it('cannot be looked up', async () => {
		const { lines } = await check({ '_dmarc.example.org': { behaviour: 'servfail' } });
		expect(lines).toEqual([
			expect.stringMatching(/^unchecked: TXT of _dmarc\.example\.org: .*SERVFAIL/)
		]);
	});
});

describe('the DMARC record of a subdomain', () => {
	const domain = 'login.mail.example.org';

	it('is the one of the organisational domain, with its policy for subdomains', async () => {
		const reject = await check(publish(`v=DMARC1; p=none; sp=reject; ${RUA}`), domain);
		expect(reject.name).toBe('_dmarc.example.org');
		expect(reject.lines).toEqual([expect.stringMatching(/^ok: /)]);
		const none = await check(publish(`v=DMARC1; p=reject; sp=none; ${RUA}`), domain);
		expect(none.lines).toEqual([expect.stringContaining('warning: "sp=none" only asks')]);
		expect(none.sets).toEqual([`_dmarc.example.org TXT v=DMARC1; p=reject; sp=quarantine; ${RUA}`]);
		const inherited = await check(publish(`v=DMARC1; p=none; ${RUA}`), domain);
		expect(inherited.lines).toEqual([expect.stringContaining('warning: "p=none" only asks')]);
	});

	it('comes first, with its own policy', async () => {
		const own = { [`_dmarc.${domain}`]: { txt: [`v=DMARC1; p=reject; sp=none; ${RUA}`] } };
		const { name, lines } = await check({ ...publish(`v=DMARC1; p=none; ${RUA}`), ...own }, domain);
		expect(name).toBe(`_dmarc.${domain}`);
		expect(lines).toEqual([expect.stringMatching(/^ok: /)]);
	});

	it('between the two is found by newer receivers only', async () => {
		const zone = { '_dmarc.mail.example.org': { txt: [`v=DMARC1; p=reject; ${RUA}`] } };
		const { lines, sets } = await check(zone, domain);
		expect(lines).toEqual([
			`warning: older receivers look only at ${domain} and at example.org, and do not find this record`
		]);
		expect(sets).toEqual([`_dmarc.${domain} TXT v=DMARC1; p=reject; ${RUA}`]);
	});

	it('is never one of a public suffix', async () => {
		const zone = {
			'_dmarc.co.uk': { txt: ['v=DMARC1; p=reject'] },
			'_dmarc.github.io': { txt: ['v=DMARC1; p=reject'] }
		};
		for (const domain of ['mail.example.co.uk', 'example.co.uk', 'example.github.io']) {
			expect((await check(zone, domain)).lines[0]).toContain('error: there is no DMARC record');
		}
	});

	it('takes at most eight lookups', async () => {
		const asked: string[] = [];
		const dns = zoneLookup({});
		const counting = { ...dns, txt: (name: string) => (asked.push(name), dns.txt(name)) };
		const long = `${'a.'.repeat(50)}example.org`;
		await checkDmarc(counting, { domain: long, organisation: 'example.org', organisationOf });
		expect(asked).toHaveLength(8);
		expect([asked[0], asked.at(-1)]).toEqual([`_dmarc.${long}`, '_dmarc.example.org']);
	});
});

describe('reports to another organisation', () => {
	const zone = publish(
		'v=DMARC1; p=reject; rua=mailto:a@reports.example.net,mailto:b@mail.example.org'
	);

	it('need a record there', async () => {
		const { lines, sets } = await check(zone);
		expect(lines).toEqual([
			'warning: reports.example.net does not accept reports about example.org, so none are sent there'
		]);
		expect(sets).toEqual(['example.org._report._dmarc.reports.example.net TXT v=DMARC1']);
		const permit = { 'example.org._report._dmarc.reports.example.net': { txt: ['v=DMARC1;'] } };
		expect((await check({ ...zone, ...permit })).lines).toEqual([expect.stringMatching(/^ok: /)]);
	});
});
