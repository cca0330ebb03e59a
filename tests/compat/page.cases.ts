import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { findChromium } from '../support/e2e/chromium.ts';
import { newAddress, sendCode, wrongCode } from '../support/http/client.ts';
import type { Fixture } from '../support/http/fixtures.ts';
import type { Sites } from './sites.ts';

/** The client in pages, as most of its users run it, with all checks of a browser. */
export const inPages = (fixture: Fixture, sites: Sites): void => {
	let browser: Browser;
	let context: BrowserContext;

	beforeAll(async () => {
		browser = await chromium.launch(await findChromium());
	});
	afterAll(() => browser.close());
	beforeEach(async () => {
		context = await browser.newContext();
	});
	afterEach(() => context.close());

	const open = async (site: string, credential: 'cookie' | 'bearer' = 'cookie'): Promise<Page> => {
		const page = await context.newPage();
		const query = new URLSearchParams({ service: fixture.server.address });
		if (credential === 'bearer') query.set('bearer', '');
		await page.goto(`${site}/?${query}`);
		return page;
	};
	/** Waits until the page shows this for the session its client holds. */
	const shows = (page: Page, text: string) =>
		expect.poll(() => page.textContent('output')).toBe(text);
	const receiveCode = async (page: Page, email: string): Promise<string> => {
		const before = fixture.server.codesSentTo(email);
		const { error } = await page.evaluate(
			(to) => window.auth.emailOtp.sendVerificationOtp({ email: to, type: 'sign-in' }),
			email
		);
		expect(error).toBeNull();
		return fixture.server.codeFor(email, before + 1);
	};
	const enter = (page: Page, email: string, otp: string) =>
		page.evaluate((typed) => window.auth.signIn.emailOtp(typed), { email, otp });
	const signIn = async (page: Page, email = newAddress('page')): Promise<string> => {
		expect((await enter(page, email, await receiveCode(page, email))).error).toBeNull();
		return email;
	};
	const serviceCookies = () => context.cookies(fixture.server.address);

	test('a page on the same site signs in without being reloaded, by a cookie that it cannot read', async () => {
		const page = await open(sites.sameSite);
		await shows(page, 'nobody');
		const email = await signIn(page);
		await shows(page, email);
		expect(await page.evaluate(() => document.cookie)).toBe('');
		expect(await serviceCookies()).toContainEqual(
			expect.objectContaining({ name: 'postern_session', httpOnly: true, sameSite: 'Lax' })
		);
		const held = await page.evaluate(() => window.auth.useSession.get().data);
		expect(held?.session.expiresAt).toBeInstanceOf(Date);
		await page.reload();
		await shows(page, email);
		// The browser sent a preflight first.
		expect(fixture.server.output()).toMatch(/"method":"OPTIONS".*"status":204/);
	});

	test('every tab follows a change of name, a sign-out and a deletion', async () => {
		const [page, other] = [await open(sites.sameSite), await open(sites.sameSite)];
		const email = await signIn(page);
		await other.reload();
		await shows(other, email);
		await page.evaluate(() => window.auth.updateUser({ name: 'Ada' }));
		for (const tab of [page, other]) await shows(tab, `Ada ${email}`);
		const out = await page.evaluate(() => window.auth.signOut());
		expect(out).toEqual({ data: { success: true }, error: null });
		for (const tab of [page, other]) await shows(tab, 'nobody');
		expect(await serviceCookies()).not.toContainEqual(
			expect.objectContaining({ name: 'postern_session' })
		);

		await signIn(page, email);
		await shows(page, `Ada ${email}`);
		await page.evaluate(() => window.auth.deleteUser());
		await shows(page, 'nobody');
	});

	test('a page of another origin can read errors and the headers with the wait', async () => {
		const page = await open(sites.sameSite);
		const email = newAddress('page');
		const otp = await receiveCode(page, email);
		expect((await enter(page, email, wrongCode(otp))).error).toMatchObject({
			status: 400,
			code: 'INVALID_OTP',
			message: 'Invalid OTP'
		});
		expect((await page.evaluate(() => window.auth.listSessions())).error).toMatchObject({
			status: 401,
			code: 'UNAUTHORIZED'
		});
		for (let send = 2; send <= 5; send += 1) await sendCode(fixture.server, email);
		const refused = await page.evaluate(async (to) => {
			const waits: (string | null)[] = [];
			const { error } = await window.auth.emailOtp.sendVerificationOtp({
				email: to,
				type: 'sign-in',
				fetchOptions: {
					onError: ({ response }) => {
						waits.push(response.headers.get('retry-after'), response.headers.get('x-retry-after'));
					}
				}
			});
			return { status: error?.status, waits };
		}, email);
		const seconds = expect.stringMatching(/^[1-9]\d*$/);
		expect(refused).toEqual({ status: 429, waits: [seconds, seconds] });
	});

	test('a page on another site stores no cookie and works with a bearer', async () => {
		const byCookie = await open(sites.crossSite);
		await signIn(byCookie);
		expect(await serviceCookies()).toEqual([]);
		expect(await byCookie.evaluate(() => window.auth.getSession())).toEqual({
			data: null,
			error: null
		});

		const page = await open(sites.crossSite, 'bearer');
		const email = await signIn(page);
		await shows(page, email);
		await page.reload();
		await shows(page, email);
		expect(await page.evaluate(() => window.auth.updateUser({ name: 'Ada' }))).toEqual({
			data: { status: true },
			error: null
		});
		await shows(page, `Ada ${email}`);
		expect(await serviceCookies()).toEqual([]);
		await page.evaluate(() => window.auth.signOut());
		await shows(page, 'nobody');
		expect(await page.evaluate(() => localStorage.getItem('token'))).not.toBeNull();
	});

	test('an untrusted page can neither request codes nor see the session', async () => {
		const trusted = await open(sites.sameSite);
		const email = await signIn(trusted);
		const page = await open(sites.untrusted);
		// The browser sends the cookie from there too, because the site is the same. It does not show the
		// response to the page.
		await shows(page, 'error undefined');
		const read = await page.evaluate(() =>
			window.auth.getSession().then(
				() => 'read',
				(error: Error) => error.name
			)
		);
		expect(read).toBe('TypeError');
		const victim = newAddress('page');
		const sent = await page.evaluate(
			(to) =>
				window.auth.emailOtp.sendVerificationOtp({ email: to, type: 'sign-in' }).then(
					() => 'sent',
					(error: Error) => error.name
				),
			victim
		);
		expect(sent).toBe('TypeError');
		expect(fixture.server.codesSentTo(victim)).toBe(0);
		expect(await page.evaluate(() => window.auth.signOut().catch(() => 'refused'))).toBe('refused');
		await trusted.reload();
		await shows(trusted, email);
	});
};
