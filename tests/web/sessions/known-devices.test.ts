import { describe, expect, test } from 'vitest';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import {
	aSignedInSite,
	aVisitedSite,
	enterCode,
	ME,
	newAddress,
	requestCode,
	SEND,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';

const DEVICE = 'postern_device';
const DAY = 86_400;
const SAME_ORIGIN = { 'sec-fetch-site': 'same-origin' };
const CLIENT = { 'x-postern-client': 'k'.repeat(22) };

/** Uses up the sends of unknown clients. */
const exhaust = async (site: Site, email: string): Promise<void> => {
	const { window, sends } = defaultPolicy.throttle;
	site.clock.advance(window);
	for (let sent = 0; sent < sends; sent += 1) await requestCode(site.visitor(), email);
	expect((await site.visitor().api(SEND, { json: { email } })).status).toBe(429);
};

describe('the device key of a browser', () => {
	test('D01 D06 a sign-in sets it for 400 days, out of reach of scripts and other sites', async () => {
		const { site, visitor, email } = await aVisitedSite();
		const asked = await requestCode(visitor, email);
		expect(asked.setCookies.join()).not.toContain(DEVICE);
		const done = await enterCode(site, visitor, email);
		const line = done.setCookies.find((one) => one.includes(DEVICE)) ?? '';
		expect(line).toMatch(
			/^__Host-postern_device=[\w-]{43}; Max-Age=34560000; Path=\/; HttpOnly; Secure; SameSite=Lax$/
		);
	});

	test('the next sign-in replaces it, and signing out keeps it', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const first = visitor.cookie(DEVICE);
		await visitor.open('/auth/sign-out');
		await visitor.post('/auth/sign-out');
		expect([visitor.cookie('postern_session'), visitor.cookie(DEVICE)]).toEqual([null, first]);
		await signIn(site, email, visitor);
		expect(visitor.cookie(DEVICE)).not.toBe(first);
		expect(visitor.cookie(DEVICE)).not.toBeNull();
	});
});

describe('the daily refresh', () => {
	test('keeps the device known, and extends its cookie once', async () => {
		const site = await aSite();
		const { visitor, email } = await signIn(site);
		const key = visitor.cookie(DEVICE);
		expect((await visitor.api(ME)).setCookies.join()).not.toContain(DEVICE);
		site.clock.advance(DAY);
		const copies = Array.from({ length: 20 }, () => site.visitor(visitor));
		const answers = await Promise.all(copies.map((copy) => copy.api(ME)));
		const setting = answers.flatMap(({ setCookies }) =>
			setCookies.filter((line) => line.includes(DEVICE))
		);
		expect(setting).toEqual([expect.stringMatching(`${key}.*Max-Age=${400 * DAY}`)]);
		expect([...site.tables.devices.values()]).toMatchObject([{ usedAt: site.clock.now() }]);
		visitor.setCookie('postern_session', null);
		await exhaust(site, email);
		expect((await visitor.api(SEND, { json: { email } })).status).toBe(200);
	});

	test('gives a browser without a key, and a bearer session, none', async () => {
		const site = await aSite();
		const { visitor, token } = await signIn(site);
		site.clock.advance(DAY);
		const headers = { authorization: `Bearer ${token}` };
		expect((await visitor.call(ME, { headers })).setCookies.join()).not.toContain(DEVICE);
		visitor.setCookie(DEVICE, null);
		site.clock.advance(DAY);
		expect((await visitor.api(ME)).setCookies.join()).not.toContain(DEVICE);
	});
});

describe('a program', () => {
	const send = (site: Site, email: string, headers: Record<string, string>) =>
		site.visitor().call(SEND, { json: { email }, headers });
	const enter = async (site: Site, email: string, headers: Record<string, string>) =>
		site.visitor().call(VERIFY, { json: { email, otp: await site.codeFor(email) }, headers });

	test('T01 becomes a known device by its header, and gets no cookie for it', async () => {
		const site = await aSite();
		const email = newAddress();
		expect((await send(site, email, CLIENT)).status).toBe(200);
		const done = await enter(site, email, CLIENT);
		expect(done.status).toBe(200);
		expect(done.setCookies.join()).not.toContain(DEVICE);
		await exhaust(site, email);
		const others = { 'x-postern-client': 'o'.repeat(22) };
		expect((await send(site, email, others)).status).toBe(429);
		expect((await send(site, email, CLIENT)).status).toBe(200);
	});

	test('that sends no header leaves no device behind', async () => {
		const site = await aSite();
		const email = newAddress();
		await send(site, email, {});
		const done = await enter(site, email, {});
		expect([done.status, site.tables.devices.size]).toEqual([200, 0]);
		expect(done.setCookies.join()).not.toContain(DEVICE);
	});

	test('a page of the site that calls the API gets the cookie', async () => {
		const site = await aSite();
		const email = newAddress();
		const visitor = site.visitor();
		await visitor.api(SEND, { json: { email }, headers: SAME_ORIGIN });
		const otp = await site.codeFor(email);
		const done = await visitor.api(VERIFY, { json: { email, otp }, headers: SAME_ORIGIN });
		expect([done.status, done.setCookies.join().includes(DEVICE)]).toEqual([200, true]);
	});

	test.each(['k'.repeat(21), ''])('the key "%s" gets 400, and nothing is sent', async (key) => {
		const site = await aSite();
		const email = newAddress();
		const headers = { 'x-postern-client': key };
		const answer = await send(site, email, headers);
		expect([answer.status, answer.json()]).toEqual([
			400,
			{
				code: 'INVALID_CLIENT_KEY',
				message: 'X-Postern-Client must be 22 to 86 characters of base64url'
			}
		]);
		expect(await site.mailsTo(email)).toEqual([]);
		const otp = '123456';
		for (const path of [VERIFY, '/api/auth/email-otp/verify-email']) {
			const refused = await site.visitor().call(path, { json: { email, otp }, headers });
			expect(refused.json()).toMatchObject({ code: 'INVALID_CLIENT_KEY' });
		}
	});
});
