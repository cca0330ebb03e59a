import { describe, expect, test } from 'vitest';
import {
	aSignedInSite,
	newAddress,
	SEND,
	SESSION,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';

/** The path of the link in the newest notice to an address. */
const linkTo = async (site: Site, email: string): Promise<string> => {
	const notice = (await site.mailsTo(email)).findLast((mail) => mail.kind === 'new_device');
	if (notice?.kind !== 'new_device') throw new Error('no notice');
	return `/auth/new-device/${notice.token}`;
};

/** An account that is signed in to in two browsers. The second one was reported. */
const twoBrowsers = async (site: Site) => {
	const email = newAddress();
	const owner = await signIn(site, email);
	const other = await signIn(site, email);
	return { email, owner, other, page: await linkTo(site, email) };
};

describe('the notice', () => {
	test('T08 is sent for the second browser, and not when either signs in again', async () => {
		const site = await aSite();
		const { email, owner, other } = await twoBrowsers(site);
		const count = async (): Promise<number> =>
			(await site.mailsTo(email)).filter(({ kind }) => kind === 'new_device').length;
		expect(await count()).toBe(1);
		for (const { visitor } of [owner, other]) {
			await visitor.open('/auth/sign-out');
			await visitor.post('/auth/sign-out');
			site.clock.advance(60);
			await signIn(site, email, visitor);
		}
		expect(await count()).toBe(1);
	});

	test('is not sent with NOTICE_NEW_DEVICE=off', async () => {
		const site = await aSite({ NOTICE_NEW_DEVICE: 'off' });
		const email = newAddress();
		await signIn(site, email);
		await signIn(site, email);
		const kinds = (await site.mailsTo(email)).map(({ kind }) => kind);
		expect(kinds).not.toContain('new_device');
	});
});

describe('the page of the link', () => {
	test('K01 opening it changes nothing, shows the device and does not name the account', async () => {
		const site = await aSite();
		const { email, owner, page } = await twoBrowsers(site);
		const queries = await site.queriesOf(async () => {
			for (let time = 0; time < 3; time += 1) {
				const opened = await site.visitor().open(page);
				expect(opened.status).toBe(200);
				const signedIn = { at: site.clock.now(), ipAddress: expect.any(String) };
				expect(opened.data).toMatchObject({ state: 'asks', current: false, signedIn });
				expect(opened.headers.get('referrer-policy')).toBe('same-origin');
				expect(opened.text).not.toContain(email);
			}
		});
		expect(new Set(queries)).toEqual(new Set(['sessions.onDevice']));
		expect(site.tables.sessions.size).toBe(2);
		expect((await owner.visitor.open('/settings')).status).toBe(200);
	});

	test('T09 one press without a session signs the device out, and can be repeated', async () => {
		const site = await aSite();
		const { owner, other, page } = await twoBrowsers(site);
		const person = site.visitor();
		for (let time = 0; time < 2; time += 1) {
			await person.open(page);
			const pressed = await person.post(`${page}?/signOut`);
			expect([pressed.status, pressed.location]).toEqual([303, page]);
			const done = await person.open(page);
			expect(done.data['state']).toBe('done');
		}
		expect((await other.visitor.open('/settings')).status).toBe(303);
		expect((await owner.visitor.open('/settings')).status).toBe(200);
		expect(person.cookie(SESSION)).toBeNull();
	});

	test('a press on the new device itself signs that browser out properly, and no other', async () => {
		const site = await aSite();
		const { owner, other, page } = await twoBrowsers(site);
		expect((await other.visitor.open(page)).data['current']).toBe(true);
		await other.visitor.post(`${page}?/signOut`);
		await owner.visitor.post(`${page}?/signOut`);
		expect(owner.visitor.cookie(SESSION)).not.toBeNull();
		expect(other.visitor.cookie(SESSION)).toBeNull();
		expect((await other.visitor.open(page)).data['state']).toBe('done');
	});

	test('shows a device that signed out by its last use', async () => {
		const site = await aSite();
		const { other, page } = await twoBrowsers(site);
		const usedAt = site.clock.now();
		await other.visitor.post('/auth/sign-out');
		const { data } = await site.visitor().open(page);
		expect(data).toMatchObject({ state: 'asks', current: false, signedIn: null, usedAt });
	});

	test('T09 it never says that a client without a key is signed out', async () => {
		const { site, email } = await aSignedInSite();
		const client = site.visitor();
		await client.call(SEND, { json: { email, type: 'sign-in' } });
		await client.call(VERIFY, { json: { email, otp: await site.codeFor(email) } });
		const page = await linkTo(site, email);
		const person = site.visitor();
		expect((await person.open(page)).data['state']).toBe('asks');
		await person.post(`${page}?/signOut`);
		expect((await person.open(page)).data['state']).toBe('ended');
		expect(site.tables.sessions.size).toBe(1);
	});

	test('a text that is no link of ours gets one answer and never reaches the store', async () => {
		const site = await aSite();
		const { page } = await twoBrowsers(site);
		const queries = await site.queriesOf(async () => {
			for (const path of ['/auth/new-device/x', `${page}x.y`, page.replace('.', '%2e.')]) {
				const person = site.visitor();
				const opened = await person.open(path);
				const pressed = await person.post(`${path}?/signOut`);
				const states = [opened.status, opened.data['state'], pressed.status];
				expect(states).toEqual([200, 'unknown', 400]);
			}
		});
		expect(queries).toEqual([]);
	});

	test('N05 no log line has the token or the email address', async () => {
		const site = await aSite();
		const { email, page } = await twoBrowsers(site);
		const before = site.log.length;
		await site.visitor().open(page);
		await site.visitor().post(`${page}?/signOut`);
		const lines = site.log.slice(before);
		const text = JSON.stringify(lines);
		expect([text.includes(page.split('/').at(-1) ?? ''), text.includes(email)]).toEqual([
			false,
			false
		]);
		expect(lines.filter(({ name }) => name === 'new_device_signed_out')).toMatchObject([
			{ outcome: 'ok', sessions: 1 }
		]);
	});
});
