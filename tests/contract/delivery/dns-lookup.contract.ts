import { afterAll, describe, expect, it } from 'vitest';
import type { DnsLookup } from '#lib/domain/delivery/records/dns-lookup.ts';
import type { DnsZone } from '../../support/mail/dns-zone.ts';

export interface OpenedLookup {
	readonly dns: DnsLookup;
	close(): Promise<void>;
}

const ZONE: DnsZone = {
	'example.org': {
		txt: ['one', `${'x'.repeat(300)}y`, '\x1b[2J\xff'],
		mx: [
			[10, 'mx.example.org'],
			[20, 'backup.example.org']
		],
		a: ['192.0.2.1']
	},
	'six.example.org': { aaaa: ['2001:db8::1'] },
	'nullmx.example.org': { mx: [[0, '.']] },
	'a.deep.example.org': { txt: ['deep'] },
	'alias.example.org': { cname: 'example.org' },
	'servfail.example.org': { behaviour: 'servfail' },
	'refused.example.org': { behaviour: 'refused' },
	'garbage.example.org': { behaviour: 'garbage' },
	'silent.example.org': { behaviour: 'silent' }
};

/** What every `DnsLookup` does, by the comments of the port. */
export const dnsLookupContract = (
	name: string,
	open: (zone: DnsZone) => Promise<OpenedLookup>
): void => {
	describe(`DNS lookup: ${name}`, async () => {
		const { dns, close } = await open(ZONE);
		afterAll(close);
		const none = (nameExists: boolean) => ({ kind: 'none', nameExists });

		it('joins the strings of a text, and leaves every character as it is', async () => {
			expect(await dns.txt('example.org')).toEqual({
				kind: 'found',
				records: ['one', `${'x'.repeat(300)}y`, '\x1b[2J\xff']
			});
		});

		it('reads mail hosts, and the null MX as an empty host', async () => {
			expect(await dns.mx('example.org')).toEqual({
				kind: 'found',
				records: [
					{ priority: 10, exchange: 'mx.example.org' },
					{ priority: 20, exchange: 'backup.example.org' }
				]
			});
			const nullMx = { kind: 'found', records: [{ priority: 0, exchange: '' }] };
			expect(await dns.mx('nullmx.example.org')).toEqual(nullMx);
		});

		it('reads addresses of both kinds', async () => {
			expect(await dns.addresses('example.org')).toEqual({ kind: 'found', records: ['192.0.2.1'] });
			const six = { kind: 'found', records: ['2001:db8::1'] };
			expect(await dns.addresses('six.example.org')).toEqual(six);
			expect(await dns.addresses('nullmx.example.org')).toEqual(none(true));
		});

		it('follows aliases, and reads them', async () => {
			expect(await dns.addresses('alias.example.org')).toEqual({
				kind: 'found',
				records: ['192.0.2.1']
			});
			const alias = { kind: 'found', records: ['example.org'] };
			expect(await dns.cname('alias.example.org')).toEqual(alias);
			expect(await dns.cname('example.org')).toEqual(none(true));
		});

		it('distinguishes a name without such records from a name that does not exist', async () => {
			expect(await dns.txt('six.example.org')).toEqual(none(true));
			expect(await dns.txt('deep.example.org')).toEqual(none(true));
			expect(await dns.txt('gone.example.org')).toEqual(none(false));
		});

		it.each([
			['servfail.example.org', 'server_failure'],
			['refused.example.org', 'refused'],
			['garbage.example.org', 'malformed'],
			['silent.example.org', 'timeout']
		])('%s fails: %s', async (name, fault) => {
			expect(await dns.txt(name)).toEqual({ kind: 'failed', fault });
			expect(await dns.mx(name)).toEqual({ kind: 'failed', fault });
			expect(await dns.addresses(name)).toEqual({ kind: 'failed', fault });
			expect(await dns.cname(name)).toEqual({ kind: 'failed', fault });
		});
	});
};
