import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkSpf } from '#lib/domain/delivery/records/check-spf.ts';
import { parseSpf } from '#lib/domain/delivery/records/spf-record.ts';
import { zoneLookup, type DnsZone } from '../../../support/mail/dns-zone.ts';

interface Checked {
	/** Each finding as one line: its level and its text. */
	readonly lines: readonly string[];
	/** The values of the records to set, each once. */
	readonly values: readonly string[];
}

const check = async (zone: DnsZone, include: string | null = null): Promise<Checked> => {
	const wish = { domain: 'example.org', include, isReturnPath: true };
	const { findings } = await checkSpf(zoneLookup(zone), wish);
	return {
		lines: findings.map(({ level, text }) => `${level}: ${text}`),
		values: [...new Set(findings.flatMap(({ set }) => (set === null ? [] : [set.value])))]
	};
};
const publish = (...txt: string[]): DnsZone => ({ 'example.org': { txt, a: ['192.0.2.1'] } });
const permits: DnsZone = { 'amazonses.com': { txt: ['v=spf1 ip4:192.0.2.0/24 -all'] } };

describe('the SPF record of a sender', () => {
	it('is in order', async () => {
		const { lines, values } = await check(publish('unrelated', 'v=spf1 ip4:192.0.2.0/24 -all'));
		expect(lines).toEqual(['ok: "v=spf1 ip4:192.0.2.0/24 -all", DNS lookups: 0']);
		expect(values).toEqual([]);
	});

	it('is missing: the record permits the provider, or the mail servers of the domain', async () => {
		expect(await check({}, 'amazonses.com')).toEqual({
			lines: ['error: there is no SPF record'],
			values: ['v=spf1 include:amazonses.com ~all']
		});
		expect((await check(publish('unrelated'))).values).toEqual(['v=spf1 mx ~all']);
	});

	it('is not needed where the return path has another domain', async () => {
		const wish = { domain: 'example.org', include: 'amazonses.com', isReturnPath: false };
		const { findings, isUsable } = await checkSpf(zoneLookup({}), wish);
		expect(findings.map(({ level }) => level)).toEqual(['ok']);
		expect(isUsable).toBe(false);
	});

	it('is there twice: one record has the terms of both', async () => {
		const { lines, values } = await check(
			publish('v=spf1 include:a.example.net ~all', 'v=spf1 ip4:192.0.2.1 ~all')
		);
		expect(lines).toEqual([expect.stringContaining('error: there are 2 SPF records')]);
		expect(values).toEqual(['v=spf1 include:a.example.net ip4:192.0.2.1 ~all']);
	});

	it.each([
		['spf1 mx -all'],
		['v=spf1;mx;-all'],
		['"v=spf1 mx -all"'],
		['v = spf1 mx -all'],
		['v=spf10 mx']
	])('%s is not read as SPF', async (text) => {
		const { lines } = await check(publish(text));
		expect(lines).toEqual([expect.stringContaining('is not read as SPF')]);
	});

	it.each([
		['ipv4:192.0.2.1', 'is misspelt', 'ip4:192.0.2.1'],
		['ip4:2001:db8::1', 'has no valid IPv4 address or range', 'ip6:2001:db8::1'],
		['ip4:192.0.2.1/33', 'has no valid IPv4 address or range', null],
		['ip4:192.0.2.256', 'has no valid IPv4 address or range', null],
		['ip6:2001:db8::/129', 'has no valid IPv6 address or range', null],
		['ip6:1::2::3', 'has no valid IPv6 address or range', null],
		['192.0.2.1', 'lacks "ip4:"', 'ip4:192.0.2.1'],
		['2001:db8::/32', 'lacks "ip6:"', 'ip6:2001:db8::/32'],
		['ip4=192.0.2.1', 'has "=" in place of ":"', 'ip4:192.0.2.1'],
		['include', 'has no domain', null],
		['include:', 'has no valid domain', null],
		['include:exa mple.net', 'has no valid domain', null],
		['includes:ok.example.net', 'is misspelt', 'include:ok.example.net'],
		['redirect:ok.example.net', 'has ":" in place of "="', 'redirect=ok.example.net'],
		['a/99', 'has an invalid prefix length', null],
		['mx//129', 'has an invalid prefix length', null],
		['ip4:192.0.2.1,', 'contains a character that is not allowed', 'ip4:192.0.2.1'],
		['\u2013all', 'contains a character that is not allowed', '-all'],
		['ip4:192.0.2.1\x1b[2J', 'contains a character that is not allowed', null],
		['allow:everything', 'is not a known mechanism', null],
		['constructor:ok.example.net', 'is not a known mechanism', null],
		['v=spf1', 'is the start of a second record', null]
	])('has the invalid term %s', async (term, reason, mend) => {
		const zone = { ...publish(`v=spf1 ${term} ip4:198.51.100.1 -all`) };
		zone['ok.example.net'] = { txt: ['v=spf1 -all'] };
		const { lines, values } = await check(zone);
		expect(lines[0]).toContain(reason);
		expect(lines[0]).toMatch(/^error: the term "/);
		expect(values).toHaveLength(1);
		const [value = ''] = values;
		// The record to set is valid, has the right term in place of the wrong one, and ends it.
		expect(parseSpf(value).faults).toEqual([]);
		const isRedirect = mend?.startsWith('redirect') === true;
		const isAll = mend === '-all';
		const kept = mend === null || isRedirect || isAll ? '' : `${mend} `;
		expect(value.startsWith(`v=spf1 ${kept}ip4:198.51.100.1`) || term.includes(' ')).toBe(true);
		expect(value).toMatch(/ -all$/);
	});

	it.each([
		['v=spf1 +all', 'error', 'permits every server', 'v=spf1 ~all'],
		['v=spf1 all', 'error', 'permits every server', 'v=spf1 ~all'],
		['v=spf1 ip4:0.0.0.0/0 -all', 'error', 'permits every server', 'v=spf1 -all'],
		['v=spf1 ip4:10.0.0.0/8 -all', 'error', 'permits a very large network', 'v=spf1 -all'],
		['v=spf1 a ?all', 'warning', 'says nothing about other servers', 'v=spf1 a ~all'],
		['v=spf1 a', 'warning', 'has no "all" at its end', 'v=spf1 a ~all'],
		['v=spf1 -all a', 'warning', 'ignore what follows "all": "a"', 'v=spf1 a -all'],
		['v=spf1 a ptr -all', 'warning', '"ptr" is deprecated', 'v=spf1 a -all']
	])('%s is %s', async (text, level, reason, value) => {
		const { lines, values } = await check(publish(text));
		expect(lines).toEqual([expect.stringMatching(new RegExp(`^${level}: `))]);
		expect(lines[0]).toContain(reason);
		expect(values).toEqual([value]);
	});

	it('does not permit the provider, or only after "all"', async () => {
		for (const text of ['v=spf1 ip4:198.51.100.1 -all', 'v=spf1 -all']) {
			const { lines, values } = await check({ ...publish(text), ...permits }, 'amazonses.com');
			expect(lines).toEqual([
				'error: it does not permit the servers of your provider (amazonses.com)'
			]);
			expect(values).toEqual([text.replace('-all', 'include:amazonses.com -all')]);
		}
		const nested = {
			...publish('v=spf1 include:all.example.org -all'),
			'all.example.org': { txt: ['v=spf1 include:amazonses.com ~all'] },
			...permits
		};
		expect((await check(nested, 'amazonses.com')).lines).toEqual([expect.stringMatching(/^ok: /)]);
	});

	it.each([
		['v=spf1 redirect=amazonses.com', 1],
		['v=spf1 redirect=all.example.org', 2],
		['v=spf1 include:all.example.org -all', 2]
	])('%s permits the provider', async (text, lookups) => {
		const zone = {
			...publish(text),
			'all.example.org': { txt: ['v=spf1 redirect=AmazonSES.com'] }
		};
		expect((await check({ ...zone, ...permits }, 'amazonses.com')).lines).toEqual([
			`ok: "${text}", DNS lookups: ${lookups}`
		]);
	});

	it('does not permit the provider with a "redirect" beside an "all"', async () => {
		const zone = { ...publish('v=spf1 redirect=amazonses.com ~all'), ...permits };
		expect(await check(zone, 'amazonses.com')).toEqual({
			lines: [
				'warning: receivers ignore "redirect=amazonses.com" because there is an "all"',
				'error: it does not permit the servers of your provider (amazonses.com)'
			],
			values: ['v=spf1 include:amazonses.com ~all']
		});
	});

	it('that redirects to the provider gets no second term for it', async () => {
		const zone = { ...publish('v=spf1 ptr redirect=amazonses.com'), ...permits };
		expect((await check(zone, 'amazonses.com')).values).toEqual(['v=spf1 redirect=amazonses.com']);
	});
});

describe('whether an SPF record permits the provider is not known', () => {
	const unknown =
		'unchecked: whether it permits the servers of your provider (amazonses.com) is not known, because not every record that it refers to was read';

	it.each(['include:down.example.net -all', 'redirect=down.example.net'])(
		'when the lookup of %s fails',
		async (terms) => {
			const down = { 'down.example.net': { behaviour: 'servfail' } } as const;
			expect(await check({ ...publish(`v=spf1 ${terms}`), ...down }, 'amazonses.com')).toEqual({
				lines: [unknown, expect.stringMatching(/^unchecked: SPF record of down\.example\.net: /)],
				values: []
			});
		}
	);

	it('when the count of lookups stops before the last term', async () => {
		const terms = Array.from({ length: 25 }, () => 'a').join(' ');
		const zone = publish(`v=spf1 ${terms} include:amazonses.com -all`);
		expect((await check(zone, 'amazonses.com')).lines).toEqual([
			unknown,
			expect.stringContaining('error: it causes 25 or more DNS lookups')
		]);
	});

	it('when the domain of an include depends on the email', async () => {
		const zone = publish('v=spf1 include:%{d}.example.net -all');
		expect((await check(zone, 'amazonses.com')).lines).toEqual([unknown]);
	});
});

describe('the lookups of an SPF record', () => {
	const chain = (length: number): DnsZone => {
		const zone: Record<string, { txt: string[] }> = {};
		for (let at = 1; at <= length; at += 1) {
			const next = at < length ? `include:s${at + 1}.example.net ` : '';
			zone[`s${at}.example.net`] = { txt: [`v=spf1 ${next}-all`] };
		}
		return zone;
	};

	it('may be ten, counted over all included records', async () => {
		const ten = { ...publish('v=spf1 include:s1.example.net -all'), ...chain(10) };
		expect((await check(ten)).lines).toEqual([expect.stringContaining('DNS lookups: 10')]);
		const eleven = { ...publish('v=spf1 a include:s1.example.net -all'), ...chain(10) };
		const { lines } = await check(eleven);
		expect(lines).toEqual([expect.stringContaining('it causes 11 DNS lookups')]);
		expect(lines[0]).toContain('"a" 1, "include:s1.example.net" 10');
	});

	it('stop at 25, whatever a record contains', async () => {
		const asked: string[] = [];
		const names = Array.from({ length: 2000 }, (_, at) => `include:n${at}.example.net`);
		const dns = zoneLookup(publish(`v=spf1 ${names.join(' ')} -all`));
		const counting = { ...dns, txt: (name: string) => (asked.push(name), dns.txt(name)) };
		const wish = { domain: 'example.org', include: null, isReturnPath: true };
		const { findings } = await checkSpf(counting, wish);
		expect(asked).toHaveLength(26);
		expect(findings.some(({ text }) => text.includes('25 or more DNS lookups'))).toBe(true);
	});

	it('go in a loop', async () => {
		const { lines, values } = await check({
			...publish('v=spf1 include:a.example.net include:self.example.net -all'),
			'a.example.net': { txt: ['v=spf1 include:b.example.net -all'] },
			'b.example.net': { txt: ['v=spf1 include:A.example.net. -all'] },
			'self.example.net': { txt: ['v=spf1 redirect=example.org'] }
		});
		expect(lines).toEqual([
			'error: "include:A.example.net." in the record of b.example.net leads back to a.example.net: a loop',
			'error: "redirect=example.org" in the record of self.example.net leads back to example.org: a loop'
		]);
		expect(values).toEqual(['v=spf1 -all']);
	});

	it('find no record, two records, an invalid record or a failure behind an include', async () => {
		const { lines, values } = await check({
			...publish(
				'v=spf1 include:none.example.net include:two.example.net include:bad.example.net include:down.example.net -all'
			),
			'two.example.net': { txt: ['v=spf1 -all', 'v=spf1 ~all'] },
			'bad.example.net': { txt: ['v=spf1 ipv4:192.0.2.1 -all'] },
			'down.example.net': { behaviour: 'servfail' }
		});
		expect(lines).toEqual([
			'error: "include:none.example.net" in the record of example.org: none.example.net has no SPF record',
			'error: "include:two.example.net" in the record of example.org: two.example.net has 2 SPF records',
			'error: the record of bad.example.net: the term "ipv4:192.0.2.1" is misspelt',
			expect.stringMatching(/^unchecked: SPF record of down\.example\.net: .*SERVFAIL/)
		]);
		expect(values).toEqual(['v=spf1 include:bad.example.net include:down.example.net -all']);
	});

	it('find nothing three times, or more than ten mail hosts', async () => {
		const { lines } = await check({
			...publish(
				'v=spf1 a:x.example.net a:y.example.net exists:z.example.net mx:m.example.net -all'
			),
			'm.example.net': {
				mx: Array.from({ length: 11 }, (_, at) => [10, `m${at}.example.net`] as const)
			}
		});
		expect(lines).toEqual([
			'error: "mx:m.example.net": m.example.net has more than 10 MX records',
			expect.stringContaining('error: 3 of its lookups find nothing')
		]);
	});

	it('with macros are counted and not made', async () => {
		const { lines } = await check(publish('v=spf1 exists:%{i}._spf.example.net -all'));
		expect(lines).toEqual([expect.stringContaining('DNS lookups: 1')]);
	});

	it('any text is read without an error, and what is to be set is valid', async () => {
		const term = fc.oneof(
			fc.string({ maxLength: 20, unit: 'binary-ascii' }),
			fc.constantFrom(
				'a',
				'mx',
				'include:',
				'/',
				'ip4:',
				'all',
				'-',
				'=',
				'redirect',
				'%{i}',
				'::1'
			)
		);
		await fc.assert(
			fc.asyncProperty(fc.array(term, { maxLength: 12 }), async (parts) => {
				const { values } = await check(publish(`v=spf1 ${parts.join('')}`), 'a.example.net');
				for (const value of values) expect(parseSpf(value).faults).toEqual([]);
			}),
			{ numRuns: 300 }
		);
	});
});
