import { describe, expect, test } from 'vitest';
import { fixedClock } from '../../support/memory/drivers.ts';
import { networkPrefix } from '#lib/adapters/web/edge/limits/client-address.ts';
import { requestLimits, type HitLimits } from '#lib/adapters/web/edge/limits/hit-limits.ts';
import { times } from '../../support/http/client.ts';
import { rulesOf } from '#lib/adapters/web/route-rules.ts';

const send = {
	method: 'POST',
	rules: rulesOf('/api/auth/email-otp/send-verification-otp'),
	pathname: '/api/auth/email-otp/send-verification-otp',
	action: () => 'default'
};
const verify = { ...send, rules: rulesOf('/api/auth/sign-in/email-otp') };
const read = { ...send, method: 'GET', rules: rulesOf('/api/auth/get-session') };

/** How many of these requests the limits allow. */
const allowed = (hit: HitLimits, addresses: readonly string[], request = send): number =>
	addresses.filter((address) => hit(address, request) === 0).length;

describe('the network of a client', () => {
	test.each([
		['192.0.2.7', '192.0.2.0/24'],
		['192.0.2.255', '192.0.2.0/24'],
		['::ffff:192.0.2.7', '192.0.2.0/24'],
		['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
		['2001:DB8:1:ffff::', '2001:db8:1::/48'],
		['2001:db8::1', '2001:db8::/48'],
		['::1', '::/48'],
		['fe80::1%eth0', 'fe80::/48'],
		['unknown', 'unknown'],
		['', '']
	])('of "%s" is "%s"', (address, network) => {
		expect(networkPrefix(address)).toBe(network);
	});
});

describe('R04: the limits of a network', () => {
	test.each([
		['a /48', (client: number) => `2001:db8:1:${client.toString(16)}::1`],
		['a /24', (client: number) => `192.0.2.${client}`]
	])('%s may do four times as much as one client, with any number of clients', (_, address) => {
		const hit = requestLimits(fixedClock().monotonic);
		const clients = times(256, address);
		expect(allowed(hit, clients)).toBe(80);
		expect(allowed(hit, clients, verify)).toBe(120);
		const reads = times(3, () => clients).flat();
		expect(allowed(hit, reads, read)).toBe(400);
	});

	test('a network at its limit takes nothing from its neighbour or other networks', () => {
		const hit = requestLimits(fixedClock().monotonic);
		allowed(
			hit,
			times(256, (client) => `2001:db8:1:${client.toString(16)}::1`)
		);
		const others = ['2001:db8:2::1', '2001:db8:0:ffff::1', '192.0.2.1', '198.51.100.1'];
		expect(allowed(hit, others)).toBe(others.length);
	});

	test('requests that a network limit refuses do not evict the counts of other clients', () => {
		// With room for 100 clients and 25 networks.
		const hit = requestLimits(fixedClock().monotonic, 100);
		const flood = times(256, (client) => `192.0.2.${client}`);
		expect(allowed(hit, flood)).toBe(80);
		const other = times(25, () => '198.51.100.1');
		expect(allowed(hit, other.slice(0, 19))).toBe(19);
		expect(allowed(hit, flood)).toBe(0);
		expect(allowed(hit, other)).toBe(1);
	});

	test('a request that its network refuses does not count for the client, nor the reverse', () => {
		const clock = fixedClock();
		const hit = requestLimits(clock.monotonic);
		const network = times(4, (client) => `192.0.2.${client}`);
		const all = times(20, () => network).flat();
		// One client is at its limit and sends more requests: its network keeps its room.
		for (let i = 0; i < 200; i += 1) hit('192.0.2.0', send);
		expect(allowed(hit, all)).toBe(60);
		// Now the network is full. A fifth client is refused, which uses up nothing of its own.
		for (let i = 0; i < 200; i += 1) {
			expect(hit('192.0.2.99', send)).toBe(60);
		}
		clock.advance(60);
		expect(
			allowed(
				hit,
				times(30, () => '192.0.2.99')
			)
		).toBe(20);
	});
});
