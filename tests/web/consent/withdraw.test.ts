import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import {
	aSignedInSite,
	aVisitedSite,
	bearer,
	enterCode,
	newAddress,
	requestCode,
	SEND,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const CONSENT = '/api/marketing-consent';
const PAGE = '/settings';
const DONE = [200, { success: true }];

const isGiven = ({ tables }: Site): readonly boolean[] =>
	[...tables.userData.values()].map((data) => data.marketingOptIn);
const recordsIn = ({ tables }: Site) => [...tables.consentRecords.values()];
const grant = (visitor: Visitor, query = '') =>
	visitor.api(`${CONSENT}${query}`, { method: 'POST' });

describe('withdrawing', () => {
	test('DELETE by cookie or bearer withdraws, and can be repeated', async () => {
		const { site, visitor, token } = await aSignedInSite();
		const ways = [
			() => visitor.api(CONSENT, { method: 'DELETE' }),
			() => site.visitor().call(CONSENT, { method: 'DELETE', headers: bearer(token) })
		];
		for (const withdraw of ways) {
			await grant(visitor);
			for (let time = 0; time < 2; time += 1) {
				const done = await withdraw();
				expect([done.status, done.json()]).toEqual(DONE);
				expect(isGiven(site)).toEqual([false]);
			}
		}
		expect(recordsIn(site).map(({ action, source }) => `${source} ${action}`)).toEqual([
			'page granted',
			'page withdrawn',
			'page granted',
			'app withdrawn'
		]);
	});
});

describe('the records', () => {
	test('have what, when, where, the wording and the email address', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const start = site.clock.now();
		await visitor.post(`${PAGE}?/grantConsent`);
		const consent = async () => (await visitor.open(PAGE)).data['consent'];
		expect(await consent()).toMatchObject({ given: true });
		site.clock.advance(60);
		await visitor.post(`${PAGE}?/withdrawConsent`);
		expect(await consent()).toMatchObject({ given: false });
		const wording = (text: string) => ({ text: expect.stringContaining(text) });
		const { agree, withdraw } = messages.consentSettings;
		const onSettings = { source: 'page', place: '/settings', email };
		expect(recordsIn(site)).toMatchObject([
			{ action: 'granted', at: start, ...onSettings, wording: wording(agree) },
			{ action: 'withdrawn', at: site.clock.now(), ...onSettings, wording: wording(withdraw) }
		]);
	});

	test.each([
		['with two entries', '/auth/sign-up', {}],
		['with one entry', '/auth/login', { AUTH_ENTRY: 'single' }]
	])(
		'%s, a box that the server keeps is recorded with its page and label',
		async (_, path, env) => {
			const { site, visitor, email } = await aVisitedSite(env);
			await requestCode(visitor, email, path, { consent: 'on' });
			await enterCode(site, visitor, email, path);
			const { version, label } = messages.consent;
			expect(recordsIn(site)).toMatchObject([
				{ source: 'page', place: path, wording: { version, text: label }, email }
			]);
		}
	);

	test('the call of the sign-up page is recorded with its label; an app names a text or none', async () => {
		const { site, visitor, token } = await aSignedInSite();
		const app = { method: 'POST', headers: bearer(token) };
		const { version } = messages.consent;
		await grant(visitor, `?wording=${version}`);
		await visitor.api(CONSENT, { method: 'DELETE' });
		await site.visitor().call(`${CONSENT}?wording=${version}`, app);
		await visitor.api(CONSENT, { method: 'DELETE' });
		await site.visitor().call(CONSENT, app);
		const granted = recordsIn(site).filter(({ action }) => action === 'granted');
		expect(granted).toMatchObject([
			{ source: 'page', place: '/auth/sign-up', wording: { version } },
			{ source: 'app', place: CONSENT, wording: { version } },
			{ source: 'app', place: CONSENT, wording: null }
		]);
	});

	test.each(['', 'x', 'sign-up-0', '__proto__', 'x'.repeat(2000)])(
		'a call that names the unknown text "%s" is refused: no record has a text of a client',
		async (wording) => {
			const { site, visitor } = await aSignedInSite();
			const answer = await grant(visitor, `?wording=${wording}`);
			expect([answer.status, answer.json()]).toMatchObject([400, { code: 'UNKNOWN_WORDING' }]);
			expect(recordsIn(site)).toEqual([]);
		}
	);

	test('a consent in the sign-in call of an app is recorded without a text', async () => {
		const site = await aSite({ AUTH_ENTRY: 'single' });
		const email = newAddress();
		const app = site.visitor();
		await app.call(SEND, { json: { email } });
		const json = { email, otp: await site.codeFor(email), marketingOptIn: true };
		expect((await app.call(VERIFY, { json })).status).toBe(200);
		expect(recordsIn(site)).toMatchObject([
			{ action: 'granted', source: 'app', place: VERIFY, wording: null, email }
		]);
	});
});
