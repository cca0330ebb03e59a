import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeDnsLookup } from '#lib/adapters/mail/records/node-dns-lookup.ts';
import { startDnsServer, type DnsServer } from '../../support/mail/dns-server.ts';
import { zoneLookup } from '../../support/mail/dns-zone.ts';
import { freePort } from '../../support/process/free-port.ts';
import { dnsLookupContract } from './dns-lookup.contract.ts';

dnsLookupContract('a zone in memory', async (zone) => ({
	dns: zoneLookup(zone),
	close: () => Promise.resolve()
}));

const TIMING = { timeout: 250, deadline: 20_000 };

dnsLookupContract('the resolver of Node', async (zone) => {
	const server = await startDnsServer(zone);
	return {
		dns: nodeDnsLookup({ servers: [server.address], ...TIMING }),
		close: () => server.stop()
	};
});

describe('the resolver of Node', () => {
	let server: DnsServer;
	beforeAll(async () => {
		server = await startDnsServer();
	});
	afterAll(() => server.stop());

	it('repeats a question over TCP when the answer was truncated', async () => {
		const long = Array.from({ length: 30 }, (_, at) => `${at} ${'x'.repeat(200)}`);
		server.serve({
			'flagged.example.org': { txt: ['v=spf1 -all'], behaviour: 'truncated' },
			'long.example.org': { txt: long }
		});
		const dns = nodeDnsLookup({ servers: [server.address], ...TIMING });
		const flagged = { kind: 'found', records: ['v=spf1 -all'] };
		expect(await dns.txt('flagged.example.org')).toEqual(flagged);
		expect(await dns.txt('long.example.org')).toEqual({ kind: 'found', records: long });
		expect(server.overTcp).toEqual(['flagged.example.org', 'long.example.org']);
	});

	it('refuses answers that are too long or have too many records', async () => {
		server.serve({
			'text.example.org': { txt: ['x'.repeat(4097)] },
			'fits.example.org': { txt: ['x'.repeat(4096)] },
			'many.example.org': { txt: Array.from({ length: 201 }, (_, at) => `${at}`) },
			'huge.example.org': { txt: Array.from({ length: 15 }, () => 'x'.repeat(4200)) }
		});
		const dns = nodeDnsLookup({ servers: [server.address], ...TIMING });
		const tooLong = { kind: 'failed', fault: 'too_long' };
		expect(await dns.txt('text.example.org')).toEqual(tooLong);
		expect(await dns.txt('many.example.org')).toEqual(tooLong);
		expect(await dns.txt('huge.example.org')).toEqual(tooLong);
		expect((await dns.txt('fits.example.org')).kind).toBe('found');
	});

	it('reports a server that nothing listens at, and a name that cannot exist', async () => {
		const servers = [`127.0.0.1:${await freePort()}`];
		const unreachable = nodeDnsLookup({ servers, ...TIMING });
		expect(await unreachable.txt('example.org')).toEqual({ kind: 'failed', fault: 'unreachable' });
		server.serve({});
		const dns = nodeDnsLookup({ servers: [server.address], ...TIMING });
		const none = { kind: 'none', nameExists: false };
		expect(await dns.txt(`${'x'.repeat(64)}.example.org`)).toEqual(none);
	});

	it('stops at its deadline, also for questions that come later', async () => {
		server.serve({ 'example.org': { behaviour: 'silent' } });
		const dns = nodeDnsLookup({ servers: [server.address], timeout: 15_000, deadline: 100 });
		const timeout = { kind: 'failed', fault: 'timeout' };
		expect(await dns.txt('example.org')).toEqual(timeout);
		const before = server.asked.length;
		expect(await dns.mx('example.org')).toEqual(timeout);
		expect(server.asked).toHaveLength(before);
	});
});
