import { describe, expect, test } from 'vitest';
import { fixedClock, type FixedClock } from '../../support/memory/drivers.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import {
	aSignedInSite,
	bearer,
	ME,
	SESSION,
	shownEmail,
	signIn
} from '../../support/web/sign-in.ts';
import { aSite, type Site } from '../../support/web/site.ts';

const LIST = '/api/auth/list-sessions';
const OUT = '/api/auth/sign-out';
const CACHE = 'postern_cache';
const DAY = 24 * 3600;

const expiryIn = ({ tables }: Site): number | undefined =>
	[...tables.sessions.values()][0]?.expiresAt.getTime();

/** A millisecond passes between two readings. */
const clockThatMovesWhenRead = (): FixedClock => {
	const clock = fixedClock();
	const now = (): Date => {
		clock.advance(0.001);
		return clock.now();
	};
	return { ...clock, now };
};

describe('the credential', () => {
	test('E05 a valid bearer wins over the cookie of another user, and an invalid one falls back to it', async () => {
		const site = await aSite();
		const [ada, bob] = [await signIn(site), await signIn(site)];
		expect(shownEmail(await ada.visitor.api(ME, { headers: bearer(bob.token) }))).toBe(bob.email);
		for (const token of ['x', 'A'.repeat(43), `${bob.token}x`]) {
			expect(shownEmail(await ada.visitor.api(ME, { headers: bearer(token) }))).toBe(ada.email);
		}
		expect(shownEmail(await ada.visitor.call(ME, { headers: bearer('x') }))).toBeNull();
	});

	test('E05 a bearer whose session has ended falls back to the cookie, also on strict routes', async () => {
		const site = await aSite();
		const [ada, bob] = [await signIn(site), await signIn(site)];
		await bob.visitor.call(OUT, { method: 'POST', headers: bearer(bob.token) });
		const headers = bearer(bob.token);
		expect(shownEmail(await ada.visitor.api(ME, { headers }))).toBe(ada.email);
		const listed = await ada.visitor.api(LIST, { headers });
		expect([listed.status, listed.json()]).toEqual([200, [expect.anything()]]);
	});

	test('a request without a credential, or with a malformed one, needs no query', async () => {
		const site = await aSite();
		const visitor = site.visitor();
		visitor.setCookie(SESSION, 'not a token');
		expect(await site.queriesOf(() => visitor.api(ME))).toEqual([]);
		expect(await site.queriesOf(() => visitor.call(ME))).toEqual([]);
		expect((await visitor.api(ME)).json()).toBeNull();
	});
});

describe('the caches', () => {
	test('E06 a plain read queries the store once in 300 seconds', async () => {
		const { site, visitor, email } = await aSignedInSite();
		// The welcome is sent.
		await site.mailsTo(email);
		const read = (): Promise<readonly string[]> => site.queriesOf(() => visitor.api(ME));
		// The sign-in has filled the cache already.
		expect(await read()).toEqual([]);
		site.clock.advance(299);
		expect(await read()).toEqual([]);
		site.clock.advance(1);
		expect(await read()).toEqual(['sessions.find']);
		expect(await read()).toEqual([]);
	});

	test.each([
		['GET', LIST],
		['GET', '/api/auth/list-devices'],
		['POST', '/api/marketing-consent'],
		['DELETE', '/api/marketing-consent'],
		['GET', '/settings'],
		['GET', '/checkout/success?reference=x'],
		['GET', '/auth/verify-email']
	])('E06 E09 %s %s queries the store, with any cache', async (method, path) => {
		const { site, visitor } = await aSignedInSite();
		await visitor.api(ME);
		const queries = await site.queriesOf(() => visitor.api(path, { method }));
		expect(queries).toContain('sessions.find');
	});

	test.each([
		['true', ['sessions.find']],
		['false', []],
		['1', []]
	])('E09 disableCookieCache=%s causes the store operations %j', async (value, queries) => {
		const { site, visitor } = await aSignedInSite();
		await visitor.api(ME);
		const path = `${ME}?disableCookieCache=${value}`;
		expect(await site.queriesOf(() => visitor.api(path))).toEqual(queries);
	});

	test('E08 the cookie saves the first query of a session, until it is 300 seconds old', async () => {
		const site = await aSite();
		const { visitor, email } = await signIn(site);
		const late = site.visitor(visitor);
		const read = (from: typeof visitor): Promise<readonly string[]> =>
			site.queriesOf(async () => expect(shownEmail(await from.api(ME))).toBe(email));
		expect(await read(visitor)).toEqual([]);
		site.clock.advance(300);
		late.setCookie(CACHE, visitor.cookies.get(`__Host-${CACHE}`)?.value ?? '');
		expect(await read(late)).toEqual(['sessions.find']);
	});

	test('E06 another process does not trust that cookie', async () => {
		const first = await aSite();
		const { visitor } = await signIn(first);
		const other = await aSite({}, { tables: first.tables });
		expect(await other.queriesOf(() => other.visitor(visitor).api(ME))).toEqual(['sessions.find']);
	});

	test('E05 a cache counts only with its own session cookie, and a changed one not at all', async () => {
		const site = await aSite();
		const [ada, bob] = [await signIn(site), await signIn(site)];
		const sealed = bob.visitor.cookie(CACHE) ?? '';
		for (const value of [sealed, sealed.slice(1), `${sealed}A`, 'x', 'x'.repeat(4000)]) {
			const mixed = site.visitor(ada.visitor);
			mixed.setCookie(CACHE, value);
			const queries = await site.queriesOf(async () =>
				expect(shownEmail(await mixed.api(`${ME}?fresh=${value.length}`))).toBe(ada.email)
			);
			// The process caches what it read, so only the first request needs a query.
			expect([value.length, queries]).toEqual([
				value.length,
				value === sealed ? ['sessions.find'] : []
			]);
		}
		const alone = site.visitor(bob.visitor);
		alone.setCookie(SESSION, null);
		expect((await alone.api(ME)).json()).toBeNull();
	});

	test.each(['api', 'form'])(
		'E06 a sign-out by %s voids copies of the cookies immediately and expires them',
		async (way) => {
			const { site, visitor, token } = await aSignedInSite();
			await visitor.api(ME);
			const jar = site.visitor(visitor);
			const out =
				way === 'api'
					? await visitor.api(OUT, { method: 'POST' })
					: await visitor.post('/auth/sign-out');
			expect([out.status, out.location]).toEqual(way === 'api' ? [200, null] : [303, '/']);
			expect(out.headers.get('clear-site-data')).toBe('"storage"');
			const expired = out.setCookies.filter((line) => line.includes('=; Max-Age=0;'));
			expect(expired.toSorted()).toEqual([
				'__Host-postern_cache=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
				...(way === 'api'
					? ['__Host-postern_flash=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax']
					: []),
				'__Host-postern_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
				'__Host-postern_session_end=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax'
			]);
			expect((await jar.api(ME)).json()).toBeNull();
			expect((await jar.call(ME, { headers: bearer(token) })).json()).toBeNull();
			expect((await jar.open('/app')).location).toBe('/auth/sign-in?redirectTo=%2Fapp');
		}
	);

	test('a changed name shows immediately, to the cookie with its cache and to the bearer', async () => {
		const { site, visitor, token } = await aSignedInSite();
		const jar = site.visitor(visitor);
		await visitor.call(ME, { headers: bearer(token) });
		const changed = await visitor.api('/api/auth/update-user', { json: { name: 'Ada' } });
		expect(changed.setCookies).toEqual([
			expect.stringMatching(/^__Host-postern_cache=; Max-Age=0/)
		]);
		for (const answer of [
			await visitor.api(ME),
			await jar.api(ME),
			await jar.call(ME, { headers: bearer(token) })
		]) {
			expect(answer.json()).toMatchObject({ user: { name: 'Ada' } });
		}
	});
});

describe('the refresh', () => {
	test('E10 a use within a day changes nothing; one after it extends the session and renews the cookie', async () => {
		const { site, visitor } = await aSignedInSite();
		const opened = expiryIn(site) ?? 0;
		site.clock.advance(DAY - 1);
		expect((await visitor.api(ME)).setCookies.join()).not.toContain(SESSION);
		expect(expiryIn(site)).toBe(opened);
		site.clock.advance(1);
		const renewed = await visitor.api(ME);
		expect(renewed.setCookies[0]).toMatch(/^__Host-postern_session=[\w-]{43}; Max-Age=5184000;/);
		expect(renewed.setCookies[1]).toMatch(/^__Host-postern_session_end=\d+; Max-Age=/);
		expect(expiryIn(site)).toBe(opened + DAY * 1000);
		// The new expiry is cached, so the next read neither refreshes nor queries.
		expect(await site.queriesOf(() => visitor.api(ME))).toEqual([]);
	});

	test('E10 the renewed cookie lives 60 days when the clock moves during the request', async () => {
		const { site, visitor } = await aSignedInSite({}, { clock: clockThatMovesWhenRead() });
		site.clock.advance(DAY);
		const renewed = await visitor.api(ME);
		expect(renewed.setCookies[0]).toMatch(/^__Host-postern_session=[\w-]{43}; Max-Age=5184000;/);
	});

	test('E10 a bearer extends the session without a cookie, and disableRefresh extends nothing', async () => {
		const { site, visitor, token } = await aSignedInSite();
		const opened = expiryIn(site) ?? 0;
		site.clock.advance(DAY);
		const headers = bearer(token);
		await visitor.call(`${ME}?disableRefresh=true`, { headers });
		await visitor.api(`${ME}?disableRefresh=true`);
		expect(expiryIn(site)).toBe(opened);
		expect((await visitor.call(ME, { headers })).setCookies).toEqual([]);
		expect(expiryIn(site)).toBe(opened + DAY * 1000);
	});
});

describe('without the store', () => {
	test.each([new StoreUnavailable('broken'), new RangeError('broken')])(
		'M18 a public page is served without the session and logs %s; the cookie stays',
		async (error) => {
			const { site, visitor, email } = await aSignedInSite();
			site.clock.advance(301);
			site.breakStore('sessions.find', error);
			const page = await visitor.open('/');
			expect([page.status, page.data['user'], page.setCookies.join()]).toEqual([
				200,
				null,
				expect.not.stringContaining(SESSION)
			]);
			expect(page.headers.has('retry-after')).toBe(false);
			expect(site.log.filter(({ name }) => name === 'fault')).toEqual([
				expect.objectContaining({ where: 'GET /(public)', fault: error })
			]);
			// It would look as if the person were signed out.
			expect((await visitor.open('/auth/sign-out')).status).toBe(503);
			site.repairStore();
			expect((await visitor.open('/')).data['user']).toMatchObject({ email });
		}
	);
});
