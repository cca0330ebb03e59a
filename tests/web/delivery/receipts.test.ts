import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mxHosts } from '#lib/adapters/mail/receipts/mail-hosts.ts';
import { nodeDnsLookup } from '#lib/adapters/mail/records/node-dns-lookup.ts';
import { fixedClock } from '#lib/adapters/memory/fixed-clock.ts';
import { memoryMailer } from '#lib/adapters/memory/delivery/memory-mailer.ts';
import { plainCodeHasher } from '#lib/adapters/memory/plain-hashers.ts';
import { memoryStorage } from '#lib/adapters/memory/storage.ts';
import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { systemTiming } from '#lib/adapters/system/system-timing.ts';
import { compose } from '#lib/app.server.ts';
import { readConfig } from '#lib/config.server.ts';
import { defaultPolicy } from '#lib/domain/index.ts';
import { aDevice, aProfile, aSender } from '../../support/domain/builders.ts';
import { startDnsServer, type DnsServer } from '../../support/mail/dns-server.ts';

let dns: DnsServer;
beforeAll(async () => {
	dns = await startDnsServer({
		'gmail.com': {
			mx: [
				[5, 'gmail-smtp-in.l.google.com'],
				[10, 'alt1.example.net']
			]
		}
	});
});
afterAll(() => dns.stop());

/** The application over stores and a mailer in memory, and a real DNS server. */
const aSite = async (signUp: 'open' | 'closed' = 'open') => {
	const config = readConfig({
		AUTH_SECRET: 'uQ7vZ0mW3nY5cR8tB1kL6xJ9hG2fD4sA-pE_oI',
		AUTH_URL: 'http://localhost:3000',
		SIGN_UP: signUp
	});
	if (!config.ok) throw new Error(JSON.stringify(config.error));
	const mx = (domain: string) =>
		nodeDnsLookup({ servers: [dns.address], timeout: 1_000, deadline: 3_000 }).mx(domain);
	const clock = fixedClock();
	const mailer = memoryMailer();
	const stores = memoryStores();
	const app = await compose(config.value, {
		storage: memoryStorage(stores),
		clock,
		mailer,
		codeHasher: plainCodeHasher(),
		log: {
			event: () => undefined,
			fault: (_where, fault) => {
				throw fault;
			}
		},
		mailHosts: mxHosts({ mx, timing: systemTiming }),
		// The report names each host.
		policy: { ...defaultPolicy, receipts: { ...defaultPolicy.receipts, rareBelow: 1 } }
	});
	const request = (email: string) => {
		const [device, sender] = [aDevice(), aSender()];
		return app.requestCode({ email, purpose: 'sign_in', browser: null, device, sender });
	};
	return { app, clock, mailer, request, stores };
};

describe('a code that was sent and entered', () => {
	it('is in the report once the process has stopped', async () => {
		const { app, clock, mailer, request } = await aSite();
		const email = 'ada@gmail.com';
		await request(email);
		clock.advance(12);
		const [mail] = mailer.mails;
		const code = mail?.kind === 'sign_in_code' ? mail.code : '';
		const who = { browser: null, sender: aSender(), profile: aProfile(), device: aDevice() };
		const entry = { email, code, ...who, currentToken: null, ifDeleted: 'refuse' } as const;
		expect((await app.verifyCode(entry)).ok).toBe(true);
		await request('bob@gmail.com');
		await app.close();
		expect(await app.deliveryReport()).toMatchObject([
			{ host: 'google.com', sent: 2, entered: 1, again: 0, refused: 0 }
		]);
		// One question for both codes, and none about the people.
		expect(dns.asked).toEqual(['gmail.com']);
	});

	it('is asked about and stored alike when it is not due, and counts zero', async () => {
		const { app, request, stores } = await aSite('closed');
		const asked = dns.asked.length;
		await request('nobody@gmail.com');
		await app.close();
		expect(dns.asked.slice(asked)).toEqual(['gmail.com']);
		const now = app.clock.now().getTime();
		const counts = await stores.deliveryFigures.sums(new Date(now - 7_200_000), new Date(now + 1));
		expect(counts).toEqual([{ host: 'google.com', fact: 'sent', count: 0 }]);
		expect(await app.deliveryReport()).toEqual([]);
	});
});
