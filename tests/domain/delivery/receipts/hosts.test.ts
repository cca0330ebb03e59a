import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { admitHosts } from '#lib/domain/delivery/receipts/admit-hosts.ts';
import type { Fact, HostCount } from '#lib/domain/delivery/receipts/delivery-figures.ts';
import {
	OTHER_HOST,
	parseMailHost,
	type MailHost
} from '#lib/domain/delivery/receipts/mail-host.ts';

describe('mail hosts', () => {
	it('a host is lower-case ASCII: letters, digits, dots and hyphens', () => {
		expect(parseMailHost('MX-1.Example.COM')).toBe('mx-1.example.com');
		const long = `${'x'.repeat(249)}.com`;
		expect(parseMailHost(long)).toBe(long);
	});

	it.each([
		['a control character', 'evil\x1b[2J.example.com'],
		['a line break', 'evil\n.example.com'],
		['a space', 'evil host.example.com'],
		['a letter of another script', 'evil.exаmple.com'],
		['a letter that becomes ASCII in lower case', '\u212aelvin.example.com'],
		['a right-to-left mark', 'evil.\u202eexample.com'],
		['no dot, so that none can be named other', 'other'],
		['an empty label', 'evil..example.com'],
		['no name, as in the null MX', ''],
		['254 characters', `${'x'.repeat(250)}.com`]
	])('a text with %s counts as other', (_, text) => {
		expect(parseMailHost(text)).toBe(OTHER_HOST);
	});
});

describe('the hosts of an hour', () => {
	const host = (name: string): MailHost => name as MailHost;
	const sent = (name: string, count: number, fact: Fact = 'sent'): HostCount => ({
		host: host(name),
		fact,
		count
	});
	const [a, b, c] = ['a.test', 'b.test', 'c.test'] as const;

	it('those with the most codes are counted by themselves, the rest together', () => {
		const counts = [sent(a, 1), sent(b, 3), sent(c, 2), sent(a, 1, 'within_5')];
		expect(admitHosts(counts, new Set(), 2)).toEqual([
			sent('other', 1),
			sent(b, 3),
			sent(c, 2),
			sent('other', 1, 'within_5')
		]);
	});

	it('a host that was counted before keeps its place', () => {
		const known = new Set([host(a), OTHER_HOST]);
		expect(admitHosts([sent(a, 1), sent(b, 9)], known, 1)).toEqual([sent(a, 1), sent('other', 9)]);
	});

	it('equal counts become one', () => {
		expect(admitHosts([sent(a, 1), sent(a, 2)], new Set(), 5)).toEqual([sent(a, 3)]);
	});

	it('however many hosts are made up, at most so many rows are named and no code is lost', () => {
		const someCounts = fc.array(
			fc.record({
				host: fc.integer({ min: 0, max: 30 }).map((number) => host(`${number}.test`)),
				fact: fc.constantFrom<Fact>('sent', 'again', 'within_60'),
				count: fc.nat(100)
			})
		);
		fc.assert(
			fc.property(someCounts, fc.nat(10), (counts, most) => {
				const admitted = admitHosts(counts, new Set(), most);
				const named = new Set(admitted.map((one) => one.host).filter((one) => one !== OTHER_HOST));
				expect(named.size).toBeLessThanOrEqual(most);
				const total = (list: readonly HostCount[]) => list.reduce((sum, one) => sum + one.count, 0);
				expect(total(admitted)).toBe(total(counts));
			})
		);
	});
});
