import { describe, expect, test } from 'vitest';
import { messages } from '#lib/messages/messages.ts';
import { aSignedInSite, SESSION, signIn } from '../../support/web/sign-in.ts';
import { aSite, ORIGIN, type Site } from '../../support/web/site.ts';
import type { Visitor } from '../../support/web/visitor.ts';

const FORWARD = '/api/auth/forward';
const DAY = 24 * 60 * 60;
const PROXY = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/plants?page=2' };
const BROWSER = { ...PROXY, 'sec-fetch-mode': 'navigate' };
const anOpenSite = (): Promise<Site> => aSite({ FORWARD_ALLOW: '*', SIGN_UP: 'open' });

type Headers = Readonly<Record<string, string>>;
const check = (visitor: Visitor, headers: Headers = PROXY, query = '') =>
	visitor.api(FORWARD + query, { headers });

describe('the check for proxies', () => {
	test('without FORWARD_ALLOW it is like any unknown path', async () => {
		const { visitor } = await aSignedInSite();
		const [one, other] = [await check(visitor), await visitor.api('/api/auth/no-such-path')];
		expect([one.status, one.text]).toEqual([other.status, other.text]);
	});

	test('200 names the account, and has an empty name too', async () => {
		const site = await anOpenSite();
		const { visitor, email } = await signIn(site);
		const answer = await check(visitor);
		expect([answer.status, answer.text]).toEqual([200, '']);
		expect(answer.headers.get('x-postern-email')).toBe(email);
		expect(answer.headers.get('x-postern-name')).toBe('');
		expect(answer.headers.get('x-postern-cookie')).toBe('');
	});

	test.each([
		['*', 'ada@example.org', 200],
		['@example.org', 'ada@example.org', 200],
		['@example.org', 'ada@sub.example.org', 403],
		['@example.org', 'ada@notexample.org', 403],
		['@example.org,Ada@Partner.com', 'ada@partner.com', 200],
		['@example.org,ada@partner.com', 'eve@partner.com', 403],
		['ada@partner.com', 'ada+x@partner.com', 403]
	])('with FORWARD_ALLOW=%s, %s gets %i', async (rule, email, status) => {
		const site = await aSite({ FORWARD_ALLOW: rule });
		const { visitor } = await signIn(site, email);
		expect((await check(visitor)).status).toBe(status);
	});

	test('it never reads Authorization, which the proxy forwards to the application', async () => {
		const site = await anOpenSite();
		const { visitor, token } = await signIn(site);
		const authorization = `Bearer ${token}`;
		const called = await site.visitor().call(FORWARD, { headers: { ...PROXY, authorization } });
		expect(called.status).toBe(401);
		const other = await check(visitor, { ...PROXY, authorization: 'Bearer x' });
		expect(other.status).toBe(200);
	});

	test('without a cookie it looks nothing up, and with one it may use the cache', async () => {
		const site = await anOpenSite();
		const { visitor } = await signIn(site);
		expect(await site.queriesOf(() => check(site.visitor()))).toEqual([]);
		await check(visitor);
		expect(await site.queriesOf(() => check(visitor))).toEqual([]);
	});

	test('it sets no cookie and extends no session, because the browser would not get it', async () => {
		const site = await anOpenSite();
		const { visitor } = await signIn(site);
		site.clock.advance(2 * DAY);
		for (let round = 0; round < 2; round += 1) {
			const queries = await site.queriesOf(async () => {
				const answer = await check(visitor);
				expect([answer.status, answer.setCookies]).toEqual([200, []]);
			});
			expect(queries).toEqual(round === 0 ? ['sessions.find'] : []);
		}
		expect((await visitor.api('/api/hello')).setCookies.join()).toContain(SESSION);
	});

	test.each<[string, Headers]>([
		['no method', { 'x-forwarded-uri': '/' }],
		['no path', { 'x-forwarded-method': 'GET' }],
		['two methods', { ...PROXY, 'x-forwarded-method': 'GET, POST' }],
		['two paths', { ...PROXY, 'x-forwarded-uri': '/a, /b' }],
		['an empty path', { ...PROXY, 'x-forwarded-uri': '' }],
		['a URL', { ...PROXY, 'x-forwarded-uri': 'https://evil.example/' }]
	])('%s from the proxy gets 403, with or without a session', async (_, headers) => {
		const site = await anOpenSite();
		const { visitor } = await signIn(site);
		for (const one of [visitor, site.visitor()]) {
			const answer = await check(one, headers);
			expect([answer.status, answer.json()]).toMatchObject([
				403,
				{ code: 'INVALID_FORWARDED_HEADERS' }
			]);
		}
	});

	test('a peer that is no trusted proxy gets 403', async () => {
		const site = await anOpenSite();
		const { visitor } = await signIn(site);
		const direct = site.visitor(visitor, '203.0.113.9');
		expect((await check(direct)).status).toBe(403);
		expect(site.log.at(-2)).toMatchObject({ name: 'forward_refused', reason: 'forwarded_headers' });
	});

	test('503 when the store fails', async () => {
		const site = await anOpenSite();
		const { visitor } = await signIn(site);
		site.clock.advance(2 * DAY);
		site.breakStore('sessions.find');
		expect((await check(visitor)).status).toBe(503);
	});

	const SIGN_IN = `${ORIGIN}/auth/sign-in?redirectTo=${encodeURIComponent('/plants?page=2')}`;

	test.each<[string, Headers, boolean]>([
		['GET, by Sec-Fetch-Mode', BROWSER, true],
		['HEAD', { ...BROWSER, 'x-forwarded-method': 'HEAD' }, true],
		['GET of an old browser', { ...PROXY, accept: 'text/html,*/*;q=0.8' }, true],
		['POST', { ...BROWSER, 'x-forwarded-method': 'POST' }, false],
		[
			'a script that accepts HTML',
			{ ...BROWSER, 'sec-fetch-mode': 'cors', accept: 'text/html' },
			false
		],
		['a program', { ...PROXY, accept: '*/*' }, false]
	])(
		'without a session, 401 to %s: a navigation is told where to sign in',
		async (_, headers, isTold) => {
			const visitor = (await anOpenSite()).visitor();
			const answer = await check(visitor, headers);
			expect(answer.status).toBe(401);
			expect(answer.headers.get('x-postern-sign-in')).toBe(isTold ? SIGN_IN : null);
			const redirected = await check(visitor, headers, '?redirect');
			expect([redirected.status, redirected.location]).toEqual(
				isTold ? [302, SIGN_IN] : [401, null]
			);
			const isForm = headers['x-forwarded-method'] === 'POST';
			const link = `href="${ORIGIN}/auth/sign-in">${messages.common.signIn}`;
			expect(answer.text.includes(link)).toBe(isForm);
		}
	);

	test.each([
		'//evil.example/',
		'/\\evil.example',
		'/..//evil.example',
		'/%2f%2fevil.example',
		`/${'x'.repeat(3000)}`
	])('H01: after signing in, %s leads to the home page', async (uri) => {
		const visitor = (await anOpenSite()).visitor();
		const answer = await check(visitor, { ...BROWSER, 'x-forwarded-uri': uri });
		expect(answer.headers.get('x-postern-sign-in')).toBe(`${ORIGIN}/auth/sign-in?redirectTo=%2F`);
	});
});
