import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
	clientAddresses,
	limitKey,
	UNKNOWN_ADDRESS,
	type AddressSource
} from '#lib/adapters/web/edge/limits/client-address.ts';
import { describeTrust } from '../../../src/entry/start-lines.ts';
import { trustedProxies, type TrustedProxies } from '#lib/config/addresses.ts';
import { anyText } from '../../support/domain/any-text.ts';

const clientAddress = (source: AddressSource, trusted: TrustedProxies): string =>
	clientAddresses(trusted).read(source);

const byDefault: TrustedProxies = { kind: 'private' };
const nobody = trustedProxies.parse('none');
const listed = trustedProxies.parse('203.0.113.7, 198.51.100.0/24, 2001:db8:ffff::/48');

const address = (peer: string, trusted: TrustedProxies, source: Partial<AddressSource> = {}) =>
	clientAddress({ peer, forwardedFor: null, realIp: null, ...source }, trusted);

const PRIVATE_PEERS = [
	'127.0.0.1',
	'10.1.2.3',
	'172.16.0.1',
	'172.31.255.255',
	'192.168.1.1',
	'169.254.1.1',
	'::1',
	'fc00::1',
	'fe80::1',
	'fe80::1%eth0',
	'febf::1',
	'::ffff:10.1.2.3',
	'::ffff:a01:203'
];
const PUBLIC_PEERS = [
	'8.8.8.8',
	'172.32.0.1',
	'100.64.0.1',
	'0.0.0.0',
	'::',
	'::10.1.2.3',
	'2001:db8::1',
	'fec0::1',
	'::ffff:8.8.8.8'
];
/** Nothing in this list is a single address. */
const GARBAGE = [
	'a',
	'',
	',',
	',1.2.3.4,',
	'1.2.3.4:5678',
	'[::1]:80',
	'for=1.2.3.4',
	'01.2.3.4',
	'16909060',
	'1.2.3.4/32',
	'1.2.3.4%eth0',
	'2001:db8:::1',
	'\u0661.2.3.4',
	'1'.repeat(65_536),
	`${' '.repeat(65_536)}x`,
	`fe80::1%${'a'.repeat(65_536)}!`,
	','.repeat(65_536)
];
const shown = (text: string): string => JSON.stringify(text.slice(0, 24));

describe('trusted peers', () => {
	test.each(PRIVATE_PEERS)('J01: a private peer may be a proxy: %s', (peer) => {
		expect(address(peer, byDefault, { forwardedFor: '192.0.2.1' })).toBe('192.0.2.1');
		expect(address(peer, byDefault, { realIp: '192.0.2.1' })).toBe('192.0.2.1');
		expect(address(peer, nobody, { forwardedFor: '192.0.2.1' })).toBe(address(peer, nobody));
		expect(address(peer, listed, { realIp: '192.0.2.1' })).toBe(address(peer, nobody));
	});

	test.each(PUBLIC_PEERS)(
		'J01: a hundred headers from %s are one bucket (Hanko 27d8fdd5)',
		(peer) => {
			const keys = Array.from({ length: 100 }, (_, i) => {
				const forged = `192.0.2.${i}`;
				return limitKey(address(peer, byDefault, { forwardedFor: forged, realIp: forged }));
			});
			expect(new Set(keys)).toEqual(new Set([limitKey(address(peer, nobody))]));
		}
	);

	test('x-forwarded-for has priority; x-real-ip counts without it', () => {
		const both = { forwardedFor: '192.0.2.1', realIp: '192.0.2.2' };
		expect(address('10.0.0.1', byDefault, both)).toBe('192.0.2.1');
		expect(address('10.0.0.1', byDefault, { ...both, forwardedFor: null })).toBe('192.0.2.2');
		expect(address('10.0.0.1', byDefault, { ...both, forwardedFor: 'x' })).toBe('10.0.0.1');
		expect(address('10.0.0.1', byDefault, { realIp: '192.0.2.1, 192.0.2.2' })).toBe('10.0.0.1');
	});

	test.each([undefined, '', 'x', '/run/postern.sock'])(
		'J09: the peer %s counts as unknown',
		(peer) => {
			for (const trusted of [byDefault, nobody, listed]) {
				const source = { peer, forwardedFor: '192.0.2.1', realIp: '192.0.2.1' };
				expect(clientAddress(source, trusted)).toBe(UNKNOWN_ADDRESS);
			}
			expect(limitKey(UNKNOWN_ADDRESS)).toBe(UNKNOWN_ADDRESS);
		}
	);
});

describe('a chain of proxies', () => {
	test.each([
		['192.0.2.9', '192.0.2.9'],
		['6.6.6.6, 192.0.2.9, 198.51.100.1, 198.51.100.2', '192.0.2.9'],
		['6.6.6.6,192.0.2.9 ,\t2001:DB8:FFFF::1', '192.0.2.9'],
		['garbage, 192.0.2.9, 198.51.100.1', '192.0.2.9'],
		['6.6.6.6, ::ffff:192.0.2.9, ::ffff:c633:6401', '192.0.2.9'],
		['10.0.0.1, 198.51.100.1', '10.0.0.1'],
		['192.0.2.9, garbage, 198.51.100.1', '203.0.113.7'],
		['192.0.2.9, 198.51.100.1:80', '203.0.113.7'],
		['192.0.2.9,', '203.0.113.7'],
		['198.51.100.1, 198.51.100.2', '203.0.113.7']
	])('J02: %s is walked from the right past listed proxies', (forwardedFor, client) => {
		expect(address('203.0.113.7', listed, { forwardedFor })).toBe(client);
		expect(address('::ffff:203.0.113.7', listed, { forwardedFor })).toBe(client);
	});

	test.each(['10.0.0.1', '127.0.0.1', '192.0.2.50', '2001:db8:fffe::1'])(
		'J02: from the unlisted peer %s it is ignored',
		(peer) => {
			expect(address(peer, listed, { forwardedFor: '192.0.2.9' })).toBe(peer);
		}
	);

	test('J03: without a list it counts for the peer, and two peers share nothing', () => {
		const forwardedFor = '6.6.6.6, 192.0.2.9';
		expect(address('10.0.0.1', byDefault, { forwardedFor })).toBe('10.0.0.1');
		expect(address('10.0.0.2', byDefault, { forwardedFor, realIp: '192.0.2.9' })).toBe('10.0.0.2');
	});
});

describe('invalid addresses', () => {
	test.each(GARBAGE.map((value) => [shown(value), value] as const))(
		'J04: %s counts for the peer (CVE-2024-47070)',
		(_, value) => {
			for (const source of [{ forwardedFor: value }, { realIp: value }]) {
				expect(address('10.0.0.1', byDefault, source)).toBe('10.0.0.1');
				expect(address('203.0.113.7', listed, source)).toBe('203.0.113.7');
				expect(address('8.8.8.8', byDefault, source)).toBe('8.8.8.8');
			}
		}
	);

	const anyHeader = fc.option(
		fc.oneof(
			anyText(),
			fc.constantFrom(...GARBAGE),
			fc.array(fc.oneof(fc.ipV4Extended(), fc.ipV6(), fc.constantFrom(...GARBAGE))).map(String)
		)
	);

	test('J04: nothing throws, and every result is an address in canonical form', () => {
		const peers = fc.oneof(fc.ipV4(), fc.ipV6(), fc.constantFrom(...PRIVATE_PEERS, '203.0.113.7'));
		fc.assert(
			fc.property(
				fc.record({ peer: peers, forwardedFor: anyHeader, realIp: anyHeader }),
				fc.constantFrom(byDefault, nobody, listed),
				(source, trusted) => {
					const client = clientAddress(source, trusted);
					expect(client).toBe(address(client, nobody));
					expect(limitKey(client)).toMatch(/^(?:\d+\.\d+\.\d+\.\d+|[0-9a-f:]+\/64)$/);
				}
			),
			{ numRuns: 500 }
		);
	});
});

describe('addresses that share a limit', () => {
	test('J05: all of one /64, and no other (CVE-2026-45364, GHSA-p6v2-xcpg-h6xw)', () => {
		const keys = new Set<string>();
		for (let i = 0; i < 4_096; i += 1) keys.add(limitKey(`2001:db8:1:2::${i.toString(16)}`));
		expect([...keys]).toEqual(['2001:db8:1:2::/64']);
		expect(limitKey('2001:db8:1:2:ffff:ffff:ffff:ffff')).toBe('2001:db8:1:2::/64');
		expect(limitKey('2001:db8:1:3::')).toBe('2001:db8:1:3::/64');
		expect(limitKey('2001:db8::1')).toBe('2001:db8::/64');
	});

	test('IPv4 clients behind a NAT64 (RFC 6052) do not share one', () => {
		expect(limitKey('64:ff9b::192.0.2.33')).toBe('192.0.2.33');
		expect(limitKey('64:ff9b::c000:222')).toBe('192.0.2.34');
		expect(limitKey('64:ff9b:1:c000:2:2200::')).toBe('64:ff9b:1:c000::/64');
	});

	test('J05: every spelling is the one of the URL standard', () => {
		const part = fc.constantFrom('0', '00', '1', 'a0B', 'ffff', '', '1.2.3.4');
		const spelling = fc.oneof(
			fc.ipV6(),
			fc.array(part, { minLength: 2, maxLength: 9 }).map((parts) => parts.join(':'))
		);
		fc.assert(
			fc.property(spelling, (text) => {
				const canonical = address(text, nobody);
				fc.pre(canonical.includes(':'));
				expect(`[${canonical}]`).toBe(new URL(`http://[${text}]/`).hostname);
			}),
			{ numRuns: 500 }
		);
	});

	test.each([
		'::ffff:1.2.3.4',
		'::ffff:102:304',
		'::FFFF:0102:0304',
		'1.2.3.4',
		'::ffff:1.2.3.4%x'
	])('J06: %s is the IPv4 address', (spelling) => {
		expect(address(spelling, nobody)).toBe('1.2.3.4');
		expect(limitKey(spelling)).toBe('1.2.3.4');
		expect(address('127.0.0.1', byDefault, { forwardedFor: spelling })).toBe('1.2.3.4');
	});

	test.each(['10.0.0.0/8', '::ffff:10.0.0.0/104', '::ffff:a00:0/104', '::ffff:10.9.9.9'])(
		'J06, J07: listed as %s, a proxy is recognised by both forms of its address',
		(entry) => {
			for (const peer of ['10.9.9.9', '::ffff:10.9.9.9', '::ffff:a09:909']) {
				expect(address(peer, trustedProxies.parse(entry), { forwardedFor: '192.0.2.1' })).toBe(
					'192.0.2.1'
				);
			}
			expect(address('11.9.9.9', trustedProxies.parse(entry), { forwardedFor: '192.0.2.1' })).toBe(
				'11.9.9.9'
			);
			expect(address('::1', trustedProxies.parse(entry), { forwardedFor: '192.0.2.1' })).toBe(
				'::1'
			);
		}
	);

	test('J07: bits beyond the prefix length of a range do not count', () => {
		const trusted = trustedProxies.parse('10.1.2.3/31, 2001:db8::1/127');
		const believed = (peer: string) =>
			address(peer, trusted, { forwardedFor: '192.0.2.1' }) === '192.0.2.1';
		expect(['10.1.2.2', '10.1.2.3', '2001:db8::', '2001:db8::1'].map(believed)).not.toContain(
			false
		);
		expect(['10.1.2.1', '10.1.2.4', '2001:db8::2', '2001:db7::1'].map(believed)).not.toContain(
			true
		);
	});
});

describe('the line at start', () => {
	test.each([
		[byDefault, /private addresses\. Set AUTH_TRUSTED_PROXIES/],
		[nobody, /ignored$/],
		[listed, /trusted from 203\.0\.113\.7, 198\.51\.100\.0\/24, 2001:db8:ffff::\/48$/]
	])('names the trusted peers', (trusted, line) => {
		expect(describeTrust(trusted)).toMatch(line);
		expect(describeTrust(trusted)).not.toContain('\n');
	});
});
