import { describe, expect, test } from 'vitest';
import {
	aSignedInSite,
	enterCode,
	newAddress,
	requestCode,
	SEND,
	SESSION,
	signIn,
	VERIFY
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const COOKIES = ['postern_flash', 'postern_session_end'];
const DAY = 86_400;
const SIGN_IN = '/auth/sign-in';

/** Signs in, and opens the page that follows. */
const arrive = async (site: Site) => {
	const arrived = await signIn(site);
	await arrived.visitor.open('/app');
	return arrived;
};

const signInByCalls = async (site: Site, visitor: Visitor, email: string): Promise<void> => {
	expect((await visitor.api(SEND, { json: { email, type: 'sign-in' } })).status).toBe(200);
	const json = { email, otp: await site.codeFor(email) };
	expect((await visitor.api(VERIFY, { json })).status).toBe(200);
};

const flashOn = async (visitor: Visitor, path: string): Promise<unknown> =>
	(await visitor.open(path)).data['flash'];

describe('the flash message on the next page', () => {
	test('after signing out it is shown once', async () => {
		const { visitor } = await aSignedInSite();
		expect((await visitor.post('/auth/sign-out')).location).toBe('/');
		expect(await flashOn(visitor, '/')).toBe('signed-out');
		expect(await flashOn(visitor, '/')).toBeNull();
		expect(await flashOn(visitor, SIGN_IN)).toBeNull();
	});

	test('a first sign-in from the sign-in page says that it created an account, once', async () => {
		const site = await aSite();
		const email = newAddress();
		for (const [page, expected] of [
			['/auth/sign-in', 'account-created'],
			['/auth/sign-in', null],
			['/auth/sign-up', null]
		] as const) {
			const visitor = site.visitor();
			const address = page === '/auth/sign-in' ? email : newAddress();
			await visitor.post(`${page}?/request`, { email: address });
			const code = await site.codeFor(address);
			await visitor.post(`${page}?/verify`, { email: address, code });
			expect([page, await flashOn(visitor, '/app')]).toEqual([page, expected]);
			expect(await flashOn(visitor, '/app')).toBeNull();
			site.clock.advance(31);
		}
	});

	test('a session that another device ended is named on the sign-in page only, once', async () => {
		const site = await aSite();
		const { visitor, email } = await arrive(site);
		site.clock.advance(31);
		const other = await signIn(site, email);
		await other.visitor.post('/settings?/endOtherSessions');
		const led = await visitor.open('/settings');
		expect(led.location).toBe(`${SIGN_IN}?redirectTo=%2Fsettings`);
		expect(await flashOn(visitor, '/')).toBeNull();
		// Nobody sees the answer to HEAD.
		expect((await visitor.api(SIGN_IN, { method: 'HEAD' })).status).toBe(200);
		expect(await flashOn(visitor, led.location ?? '')).toBe('session-ended');
		expect(await flashOn(visitor, SIGN_IN)).toBeNull();
	});

	test('so is the end of each session that was opened by calls of the API, once', async () => {
		const { site, visitor, email } = await aSignedInSite();
		for (const time of [1, 2]) {
			site.clock.advance(8 * 60);
			await signInByCalls(site, visitor, email);
			expect(await flashOn(visitor, '/app')).toBeNull();
			site.clock.advance(8 * 60);
			const other = await signIn(site, email);
			await other.visitor.post('/settings?/endOtherSessions');
			expect([time, await flashOn(visitor, SIGN_IN)]).toEqual([time, 'session-ended']);
			expect([time, await flashOn(visitor, SIGN_IN)]).toEqual([time, null]);
		}
	});

	test('an expired session is named, also when the browser has dropped its cookie', async () => {
		const site = await aSite();
		for (const dropped of [false, true]) {
			const { visitor, token } = await arrive(site);
			site.clock.advance(60 * DAY);
			visitor.setCookie(SESSION, dropped ? null : token);
			expect(await flashOn(visitor, SIGN_IN)).toBe('session-expired');
			expect(await flashOn(visitor, SIGN_IN)).toBeNull();
		}
		// A session in use is refreshed, and so is what the browser knows of it.
		const used = await arrive(site);
		site.clock.advance(59 * DAY);
		await used.visitor.open('/app');
		site.clock.advance(59 * DAY);
		expect(await flashOn(used.visitor, '/app')).toBeNull();
		site.clock.advance(61 * DAY);
		expect(await flashOn(used.visitor, SIGN_IN)).toBe('session-expired');
		const { visitor } = await arrive(site);
		site.clock.advance(91 * DAY);
		expect(await flashOn(visitor, SIGN_IN)).toBeNull();
	});

	test('nothing is said of a session that nobody could look up, or whose cookie was removed', async () => {
		const { site, visitor, token } = await aSignedInSite();
		site.clock.advance(301);
		site.breakStore('sessions.find');
		expect(await flashOn(visitor, SIGN_IN)).toBeNull();
		site.repairStore();
		visitor.setCookie(SESSION, null);
		expect(await flashOn(visitor, SIGN_IN)).toBeNull();
		visitor.setCookie(SESSION, token);
		expect((await visitor.open(SIGN_IN)).location).toBe('/app');
	});

	test('signing in again replaces it', async () => {
		const { site, visitor, email } = await aSignedInSite();
		await visitor.post('/auth/sign-out');
		await signIn(site, email, visitor);
		expect(await flashOn(visitor, '/app')).toBeNull();
	});

	test('no URL and no other cookie value makes a page say anything', async () => {
		const site = await aSite();
		const { visitor } = await arrive(site);
		const values = ['signed-out', 'email-changed', 'account-deleted', 'session-ended'];
		for (const value of values) {
			const query = `?notice=${value}&done=${value}&done=address&reason=${value}`;
			for (const path of ['/', SIGN_IN]) {
				expect(await flashOn(site.visitor(), path + query)).toBeNull();
			}
			expect(await flashOn(visitor, `/settings${query}`)).toBeNull();
		}
		for (const value of ['session-ended', 'name-saved', 'toString', '<b>', '1e9', '-1', '']) {
			const forged = site.visitor();
			for (const cookie of COOKIES) forged.setCookie(cookie, value);
			expect([value, await flashOn(forged, SIGN_IN)]).toEqual([value, null]);
		}
	});
});

describe('the page about deleted accounts', () => {
	const PAGE = '/auth/account-deleted';

	test('names a deleted account only in the browser that deleted it or was offered to restore it', async () => {
		const { site, visitor, email } = await aSignedInSite();
		await visitor.post('/settings?/deleteAccount', { sure: 'on' });
		for (const time of [1, 2]) {
			const { lastEvent, email: named } = (await visitor.open(PAGE)).data;
			expect([time, lastEvent, named]).toEqual([time, 'account-deleted', email]);
		}
		expect((await site.visitor().open(PAGE)).data).toMatchObject({
			grant: null,
			lastEvent: null,
			email: null
		});

		const other = site.visitor();
		await requestCode(other, email);
		expect((await enterCode(site, other, email)).location).toBe(PAGE);
		expect((await other.open(PAGE)).data['grant']).toMatchObject({ email });
		site.clock.advance(601);
		expect((await other.open(PAGE)).data).toMatchObject({
			grant: null,
			lastEvent: 'restore-offered',
			email
		});
		await other.post(`${PAGE}?/leave`);
		expect((await other.open(PAGE)).data['lastEvent']).toBeNull();

		await requestCode(other, email);
		await enterCode(site, other, email);
		expect((await other.post(`${PAGE}?/restore`)).location).toBe('/app');
		expect(await flashOn(other, '/app')).toBe('account-restored');
		expect(await flashOn(other, '/app')).toBeNull();
		// The browser still knows that it has a session, and can tell that it was ended.
		site.tables.sessions.clear();
		site.clock.advance(301);
		expect(await flashOn(other, SIGN_IN)).toBe('session-ended');
	});
});
