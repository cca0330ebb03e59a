import { describe, expect, test } from 'vitest';
import { memoryMailer } from '../../support/memory/mailer.ts';
import { openMailer } from '#lib/adapters/mail/open-mailer.ts';
import { readConfig, type Config } from '#lib/config.server.ts';
import type { Mail, Mailer } from '#lib/domain/mail.ts';
import { anEmail } from '../../support/domain/builders.ts';
import { aSigner } from '../../support/domain/fixture.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';
import { classInstance } from '../../support/web/class-instance.ts';
import {
	bearer,
	enterCode,
	ME,
	newAddress,
	requestCode,
	shownEmail,
	signIn
} from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';

const welcome: Mail = { kind: 'welcome', to: anEmail() };

const aConfig = (): Config => {
	const config = readConfig({
		AUTH_SECRET: 'uQ7vZ0mW3nY5cR8tB1kL6xJ9hG2fD4sA-pE_oI',
		AUTH_URL: 'http://localhost:3000'
	});
	if (!config.ok) throw new Error(JSON.stringify(config.error));
	return config.value;
};

describe('ports that are instances of classes', () => {
	test('the application keeps all their methods, from sign-in to shutdown', async () => {
		const site = await aSite({}, { asPort: classInstance });
		const { visitor, email } = await signIn(site);
		expect(shownEmail(await visitor.api(ME))).toBe(email);
		const listed = await visitor.api('/api/auth/list-sessions');
		expect([listed.status, listed.json()]).toEqual([200, [expect.anything()]]);
		const out = await visitor.api('/api/auth/sign-out', { method: 'POST', json: {} });
		expect(out.status).toBe(200);
		expect((await visitor.api(ME)).json()).toBeNull();
		expect(site.log.filter(({ name }) => name === 'fault')).toEqual([]);
		expect(await site.app.pruneThrottle()).toEqual({
			throttleRows: 0,
			oidcRecords: 0,
			emailUndos: 0,
			codes: 0,
			sessions: 0,
			devices: 0,
			counts: 0,
			proofs: 0,
			failedEmails: 0
		});
		await site.app.pingStore();
		await site.app.close();
	});

	test('an account is deleted and restored, and then moves to another email address', async () => {
		const site = await aSite({}, { asPort: classInstance });
		const { visitor, email, token } = await signIn(site);
		const headers = bearer(token);
		await visitor.call('/api/auth/delete-user', { method: 'POST', headers });
		site.clock.advance(31);
		await requestCode(visitor, email);
		expect((await enterCode(site, visitor, email)).location).toBe('/auth/account-deleted');
		const restored = await visitor.post('/auth/account-deleted?/restore');
		expect(restored.location).toBe('/app');
		const newEmail = newAddress();
		const body = { newEmail, callbackURL: '/app' };
		const requested = await visitor.api('/api/auth/change-email', { json: body });
		expect(requested.status).toBe(200);
		expect(await site.linkFor(newEmail)).not.toBe('');
		expect(site.log.filter(({ name }) => name === 'fault')).toEqual([]);
	});

	test('a mailer sends every kind of email: awaited, unconditional and conditional', async () => {
		const own = memoryMailer();
		const timing = fakeTiming();
		const networkPrefixOf = (address: string): string => address;
		const messageSigner = aSigner();
		const tools = { log: () => undefined, networkPrefixOf, timing, messageSigner };
		const { mailer, lanes } = openMailer(aConfig(), tools, classInstance<Mailer>(own));
		expect(await mailer.send(welcome)).toBe('sent');
		expect(await lanes.unconditional.send(welcome)).toBe('sent');
		expect(await lanes.conditional.send(welcome)).toBe('sent');
		const rehearsed = lanes.conditional.rehearse(welcome);
		await timing.advance(0);
		await rehearsed;
		expect(own.mails).toEqual([welcome, welcome, welcome]);
	});
});
