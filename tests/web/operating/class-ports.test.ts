import { describe, expect, test } from 'vitest';
import { memoryMailer } from '../../support/memory/mailer.ts';
import { openMailer } from '#lib/adapters/mail/open-mailer.ts';
import { configOf } from '../../support/web/config.ts';
import type { Mail, Mailer } from '#lib/domain/mail.ts';
import { anEmail } from '../../support/domain/builders.ts';
import { aSigner } from '../../support/domain/fixture.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';
import {
	aSignedInSite,
	bearer,
	enterCode,
	ME,
	newAddress,
	requestCode,
	shownEmail
} from '../../support/web/sign-in.ts';

/**
 * The same port as an instance of a class: its methods are on the prototype and need their own
 * `this`. All other properties stay as they are.
 */
const classInstance = <Port extends object>(port: Port): Port => {
	class Instance {
		readonly #port = port;
		constructor() {
			for (const [name, value] of Object.entries(port)) {
				if (typeof value !== 'function') Object.assign(this, { [name]: value });
			}
		}
		static {
			for (const [name, value] of Object.entries(port)) {
				if (typeof value !== 'function') continue;
				const method = function (this: Instance, ...input: readonly unknown[]): unknown {
					return Reflect.apply(value, this.#port, input);
				};
				Object.defineProperty(Instance.prototype, name, { value: method });
			}
		}
	}
	return new Instance() as Port;
};

const welcome: Mail = { kind: 'welcome', to: anEmail() };

describe('ports that are instances of classes', () => {
	test('the application keeps all their methods, from sign-in to shutdown', async () => {
		const { site, visitor, email } = await aSignedInSite({}, { asPort: classInstance });
		expect(shownEmail(await visitor.api(ME))).toBe(email);
		const listed = await visitor.api('/api/auth/list-sessions');
		expect([listed.status, listed.json()]).toEqual([200, [expect.anything()]]);
		const out = await visitor.api('/api/auth/sign-out', { method: 'POST', json: {} });
		expect(out.status).toBe(200);
		expect((await visitor.api(ME)).json()).toBeNull();
		expect(site.log.filter(({ name }) => name === 'fault')).toEqual([]);
		expect(await site.app.pruneExpired()).toEqual({
			throttleRows: 0,
			oidcRecords: 0,
			emailUndos: 0,
			codes: 0,
			sessions: 0,
			devices: 0,
			counts: 0,
			proofs: 0,
			events: 0,
			failedEmails: 0
		});
		await site.app.pingStore();
		await site.app.close();
	});

	test('an account is deleted and restored, and then moves to another email address', async () => {
		const { site, visitor, email, token } = await aSignedInSite({}, { asPort: classInstance });
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
		const { mailer, lanes } = openMailer(configOf(), tools, classInstance<Mailer>(own));
		expect(await mailer.send(welcome)).toBe('sent');
		expect(await lanes.unconditional.send(welcome)).toBe('sent');
		expect(await lanes.conditional.send(welcome)).toBe('sent');
		const dryRan = lanes.conditional.dryRun(welcome);
		await timing.advance(0);
		await dryRan;
		expect(own.mails).toEqual([welcome, welcome, welcome]);
	});
});
