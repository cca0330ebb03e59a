import { expect, test } from 'vitest';
import { consentOf, enterOnPage, rowsOf, DELETE } from '../../support/http/account.ts';
import { formsOf, mainOf, openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	signIn,
	VERIFY,
	whoIs,
	wrongCode,
	type Answer
} from '../../support/http/client.ts';
import { onBothInLongForm, present, type Fixture } from '../../support/http/fixtures.ts';
import { SESSION } from '../../support/http/cookie-jar.ts';

const TICKED = { consent: 'on' };

const NO_YES: readonly unknown[] = [
	...[false, 'true', 'on', 'yes', '', 1, 0, null, [true], { consent: true }, [], 'TRUE', 1.5]
];

/** Signs in over the API with these fields besides address and code. */
const signInWith = async (fixture: Fixture, email: string, more: object): Promise<Answer> => {
	const otp = await freshCode(fixture.server, email);
	return call(fixture.server, VERIFY, { json: { email, otp, ...more } });
};

const locationOf = async ({ server }: Fixture, path: string, headers = {}): Promise<unknown> => {
	const { status, headers: given } = await call(server, path, { headers });
	return status === 303 ? given.location : status;
};

onBothInLongForm(
	(fixture) => {
		test('with one sign-in page, unauthenticated visitors are redirected there and then back', async () => {
			expect(await locationOf(fixture, '/app')).toBe('/auth/login?redirectTo=%2Fapp');
			const browser = openBrowser(fixture.server);
			const led = await browser.open('/app?tab=1&x=%2F%2Fy');
			const email = newAddress();
			const done = await enterOnPage(fixture.server, browser, email, present(led.headers.location));
			expect([done.status, done.headers.location]).toEqual([303, '/app?tab=1&x=%2F%2Fy']);
			expect(await whoIs(fixture.server, { cookie: browser.cookies() })).toBe(email);
			// With a session, all three pages redirect.
			for (const [path, target] of [
				['/auth/login', '/app'],
				['/auth/login?redirectTo=%2Fsettings', '/settings']
			] as const) {
				const { status, headers } = await browser.open(path);
				expect([status, headers.location, path]).toEqual([303, target, path]);
			}
		});

		test('with one entry the other two redirect to it and keep the query', async () => {
			for (const query of [
				'',
				'?redirectTo=%2Fapp%3Fa%3D1%26b%3D2',
				'?step=email&x=1',
				'?x=%2F%2Fy'
			]) {
				for (const path of ['/auth/sign-in', '/auth/sign-up']) {
					expect(await locationOf(fixture, path + query)).toBe(`/auth/login${query}`);
				}
				const login = await call(fixture.server, `/auth/login${query}`);
				expect([login.status, query]).toEqual([200, query]);
			}
			for (const path of ['/auth/login', '/auth/account-deleted']) {
				const { text } = await call(fixture.server, path);
				const links = [...text.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)]
					.map(([, href = '']) => new URL(href, fixture.server.address + path).pathname)
					.filter((link) => /^\/auth\/(?:login|sign-in|sign-up)$/.test(link));
				expect([[...new Set(links)], path]).toEqual([['/auth/login'], path]);
			}
			// Also for a signed-in visitor, one step later.
			const { cookie } = await signIn(fixture.server);
			expect(await locationOf(fixture, '/auth/sign-in?redirectTo=%2Fsettings', { cookie })).toBe(
				'/auth/login?redirectTo=%2Fsettings'
			);
		});

		test('H01 with one entry a hostile redirectTo is ignored', async () => {
			const { cookie } = await signIn(fixture.server);
			for (const target of ['//evil.com', 'https://evil.com', '/\\evil.com', '/..//evil.com', '']) {
				const query = `?redirectTo=${encodeURIComponent(target)}`;
				expect(await locationOf(fixture, `/auth/login${query}`, { cookie })).toBe('/app');
				const led = String(await locationOf(fixture, `/auth/sign-in${query}`));
				expect([led.startsWith('/auth/login?redirectTo='), target]).toEqual([true, target]);
			}
		});

		test('E21 with one entry exactly the path /download is public: its page is missing, not protected', async () => {
			const missing = await call(fixture.server, '/download');
			expect([missing.status, textOf(missing.text).includes('Page not found')]).toEqual([
				404,
				true
			]);
			for (const path of ['/download/x', '/downloads', '/Download', '/api/download']) {
				expect([(await call(fixture.server, path)).status, path]).toEqual([
					path.startsWith('/api') ? 401 : 303,
					path
				]);
			}
		});

		test('with one entry marketingOptIn counts when it is exactly true and the account is created', async () => {
			const yes = newAddress();
			expect((await signInWith(fixture, yes, { marketingOptIn: true })).status).toBe(200);
			expect(await consentOf(fixture, yes)).toBe(true);
			const [row] = await rowsOf(fixture, 'user_data', yes);
			const at = new Date(row?.['marketing_opt_in_at'] as string).getTime();
			expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);

			for (const value of NO_YES) {
				const email = newAddress();
				const answer = await signInWith(fixture, email, { marketingOptIn: value });
				expect([answer.status, await consentOf(fixture, email), value]).toEqual([
					200,
					false,
					value
				]);
				const [data] = await rowsOf(fixture, 'user_data', email);
				expect(data?.['marketing_opt_in_at']).toBeNull();
			}
			const absent = newAddress();
			await signInWith(fixture, absent, { marketing_opt_in: true, consent: true });
			expect(await consentOf(fixture, absent)).toBe(false);
		});

		test('with one entry the opt-in changes nothing for an existing account', async () => {
			const [given, not] = [newAddress(), newAddress()];
			await signInWith(fixture, given, { marketingOptIn: true });
			await signInWith(fixture, not, {});
			await signInWith(fixture, given, { marketingOptIn: false });
			await signInWith(fixture, not, { marketingOptIn: true });
			expect([await consentOf(fixture, given), await consentOf(fixture, not)]).toEqual([
				true,
				false
			]);
		});

		test('with one entry and no JavaScript, a ticked box is stored with the new account, and an unticked one is not', async () => {
			const page = await openBrowser(fixture.server).open('/auth/login');
			const box = present(/<input[^>]*name="consent"[^>]*>/.exec(page.text))[0];
			expect(box).not.toMatch(/\schecked/);
			const [yes, no] = [newAddress(), newAddress()];
			const browser = openBrowser(fixture.server);
			const done = await enterOnPage(fixture.server, browser, yes, '/auth/login', TICKED);
			expect(done.status).toBe(303);
			await enterOnPage(fixture.server, openBrowser(fixture.server), no, '/auth/login');
			expect([await consentOf(fixture, yes), await consentOf(fixture, no)]).toEqual([true, false]);
		});

		test('with one entry a wrong code keeps the tick, and all steps use the same page', async () => {
			const email = newAddress();
			const browser = openBrowser(fixture.server);
			const first = await browser.open('/auth/login');
			const response = await browser.submit(first, '?/request', { email, ...TICKED });
			expect([response.status, response.headers.location]).toEqual([303, '/auth/login']);
			const page = await browser.open('/auth/login');
			const code = await fixture.server.codeFor(email);
			const wrong = await browser.submit(page, '?/verify', { code: wrongCode(code) });
			expect([wrong.status, textOf(wrong.text).includes('4 attempts')]).toEqual([400, true]);
			const actions = formsOf(mainOf(wrong.text), '/auth/login').map(({ action }) => action);
			expect(actions.filter((action) => !action.startsWith('/auth/login?/'))).toEqual([]);
			const done = await browser.submit(wrong, '?/verify', { code });
			expect([done.status, done.headers.location]).toEqual([303, '/app']);
			expect(await consentOf(fixture, email)).toBe(true);
		});

		test('with one entry a deleted account is offered for restoring on the same page', async () => {
			const { email, token } = await signIn(fixture.server);
			await call(fixture.server, DELETE, { json: {}, headers: bearer(token) });
			const browser = openBrowser(fixture.server);
			const led = await enterOnPage(fixture.server, browser, email, '/auth/login');
			expect(led.headers.location).toBe('/auth/account-deleted');
			const page = await browser.open('/auth/account-deleted');
			expect((await browser.submit(page, '?/restore')).headers.location).toBe('/app');
			expect(browser.cookie(SESSION)).not.toBeNull();
		});
	},
	{ env: { AUTH_ENTRY: 'single' } }
);

onBothInLongForm((fixture) => {
	test('with two entries the one for both redirects to sign-in and keeps the query', async () => {
		for (const query of ['', '?redirectTo=%2Fapp%3Fa%3D1', '?step=email&x=1']) {
			expect(await locationOf(fixture, `/auth/login${query}`)).toBe(`/auth/sign-in${query}`);
		}
		expect(await locationOf(fixture, '/app')).toBe('/auth/sign-in?redirectTo=%2Fapp');
	});

	test('E21 with two entries /download is protected like any path', async () => {
		expect(await locationOf(fixture, '/download')).toBe('/auth/sign-in?redirectTo=%2Fdownload');
		const { token } = await signIn(fixture.server);
		expect((await call(fixture.server, '/download', { headers: bearer(token) })).status).toBe(404);
	});

	test('with two entries marketingOptIn in the sign-in request is ignored', async () => {
		for (const value of [true, ...NO_YES]) {
			const email = newAddress();
			const answer = await signInWith(fixture, email, { marketingOptIn: value });
			expect(answer.status).toBe(200);
			expect(Object.keys(answer.json() as object)).toEqual(['token', 'user']);
			const [row] = await rowsOf(fixture, 'user_data', email);
			expect([Boolean(row?.['marketing_opt_in']), row?.['marketing_opt_in_at'], value]).toEqual([
				...[false, null, value]
			]);
		}
	});

	test('with two entries both pages behave the same for known and unknown addresses', async () => {
		for (const path of ['/auth/sign-in', '/auth/sign-up']) {
			const email = newAddress();
			for (let time = 0; time < 2; time += 1) {
				const browser = openBrowser(fixture.server);
				const done = await enterOnPage(fixture.server, browser, email, path);
				expect([done.status, done.headers.location]).toEqual([303, '/app']);
			}
			expect(await rowsOf(fixture, 'user', email)).toHaveLength(1);
		}
	});
});
