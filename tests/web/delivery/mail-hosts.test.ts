import { describe, expect, it } from 'vitest';
import { mxHosts } from '#lib/adapters/mail/receipts/mail-hosts.ts';
import type { DnsLookup } from '#lib/domain/delivery/records/dns-lookup.ts';
import { zoneLookup, type DnsZone } from '../../support/mail/dns-zone.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';

const HOUR = 3_600_000;

/** Mail hosts over a zone, with the questions that were asked. */
const over = (zone: DnsZone) => {
	const timing = fakeTiming();
	const asked: string[] = [];
	let served = zone;
	const mx: DnsLookup['mx'] = (domain) => {
		asked.push(domain);
		return zoneLookup(served).mx(domain);
	};
	return {
		hosts: mxHosts({ mx, timing }),
		asked,
		timing,
		serve: (next: DnsZone) => void (served = next)
	};
};

const GMAIL = { mx: [[5, 'gmail-smtp-in.l.google.com']] } as const;

describe('the mail host of a domain', () => {
	it.each([
		['the registrable domain of its mail server', GMAIL, 'google.com'],
		['in lower case', { mx: [[5, 'MX.Google.COM']] }, 'google.com'],
		[
			'that of the mail server that is asked first',
			{
				mx: [
					[20, 'b.two.test'],
					[10, 'a.one.test']
				]
			},
			'one.test'
		],
		[
			'the same each time when several are asked first',
			{
				mx: [
					[1, 'b.two.test'],
					[1, 'a.one.test']
				]
			},
			'one.test'
		],
		['the company, not its customer', { mx: [[1, 'mail.anna.dyndns.org']] }, 'dyndns.org'],
		['under a suffix of two labels', { mx: [[1, 'mx.example.co.uk']] }, 'example.co.uk']
	] as const)('is %s', async (_, entry, host) => {
		expect(await over({ 'mail.org': entry }).hosts.of('mail.org')).toBe(host);
	});

	it.each([
		['has no mail server', { a: ['192.0.2.1'] }],
		['takes no email (null MX)', { mx: [[0, '.']] }],
		['names an address', { mx: [[1, '192.0.2.1']] }],
		['names a public suffix', { mx: [[1, 'co.uk']] }],
		['names control characters', { mx: [[1, 'mx.\x1b[2J.test']] }],
		['does not answer', { behaviour: 'silent' }]
	] as const)('is other when it %s', async (_, entry) => {
		expect(await over({ 'mail.org': entry }).hosts.of('mail.org')).toBe('other');
	});

	it('is other when the domain does not exist, or the lookup throws', async () => {
		expect(await over({}).hosts.of('made-up.org')).toBe('other');
		const broken = mxHosts({ mx: () => Promise.reject(new Error('broken')), timing: fakeTiming() });
		expect(await broken.of('mail.org')).toBe('other');
	});
});

describe('questions to the DNS', () => {
	it('one answer serves all codes for six hours', async () => {
		const { hosts, asked, timing } = over({ 'gmail.com': GMAIL });
		await Promise.all([hosts.of('gmail.com'), hosts.of('gmail.com')]);
		await timing.advance(6 * HOUR - 1);
		expect(await hosts.of('gmail.com')).toBe('google.com');
		expect(asked).toEqual(['gmail.com']);
		await timing.advance(1);
		await hosts.of('gmail.com');
		expect(asked).toHaveLength(2);
	});

	it('a domain that cannot be looked up is asked again after five minutes, one without after an hour', async () => {
		const { hosts, asked, timing, serve } = over({ 'gmail.com': { behaviour: 'servfail' } });
		expect(await hosts.of('gmail.com')).toBe('other');
		serve({ 'gmail.com': GMAIL });
		await timing.advance(300_000);
		// The question does not delay the count, which still gets the old answer.
		expect(await hosts.of('gmail.com')).toBe('other');
		await timing.advance(0);
		expect(await hosts.of('gmail.com')).toBe('google.com');
		expect(await hosts.of('none.org')).toBe('other');
		await timing.advance(HOUR - 1);
		await hosts.of('none.org');
		expect(asked).toEqual(['gmail.com', 'gmail.com', 'none.org']);
	});

	it('a host that was found stays while the DNS fails', async () => {
		const { hosts, timing, serve } = over({ 'gmail.com': GMAIL });
		await hosts.of('gmail.com');
		serve({ 'gmail.com': { behaviour: 'servfail' } });
		await timing.advance(6 * HOUR);
		await hosts.of('gmail.com');
		await timing.advance(0);
		expect(await hosts.of('gmail.com')).toBe('google.com');
	});

	it('eight are under way at most: made-up domains beyond that count as other', async () => {
		const waiting: (() => void)[] = [];
		const mx: DnsLookup['mx'] = () =>
			new Promise((resolve) => {
				waiting.push(() =>
					resolve({ kind: 'found', records: [{ priority: 1, exchange: 'mx.slow.test' }] })
				);
			});
		const hosts = mxHosts({ mx, timing: fakeTiming() });
		const first = Array.from({ length: 8 }, (_, at) => hosts.of(`made-up-${at}.org`));
		for (let more = 8; more < 100; more += 1) {
			expect(await hosts.of(`made-up-${more}.org`)).toBe('other');
		}
		expect(waiting).toHaveLength(8);
		waiting.forEach((answer) => answer());
		expect(new Set(await Promise.all(first))).toEqual(new Set(['slow.test']));
		// It was not remembered as other.
		const again = hosts.of('made-up-50.org');
		waiting.at(-1)?.();
		expect(await again).toBe('slow.test');
	});

	it('nobody is asked about names for tests and private networks', async () => {
		const { hosts, asked } = over({ 'corp.internal': GMAIL });
		expect(await hosts.of('corp.internal')).toBe('other');
		expect(asked).toEqual([]);
	});

	it('10,000 domains are remembered, those that were used last', async () => {
		const { hosts, asked } = over({ 'gmail.com': GMAIL });
		await hosts.of('gmail.com');
		for (let made = 0; made < 9_999; made += 1) await hosts.of(`${made}.org`);
		await hosts.of('gmail.com');
		await hosts.of('one-more.org');
		await hosts.of('gmail.com');
		expect(asked).toHaveLength(10_001);
		await hosts.of('0.org');
		expect(asked).toHaveLength(10_002);
	});
});
