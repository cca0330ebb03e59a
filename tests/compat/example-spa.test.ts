import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { findChromium } from '../support/e2e/chromium.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	rounds,
	sendCode,
	signIn,
	times,
	whoIs,
	wrongCode,
	API,
	type SignedIn
} from '../support/http/client.ts';
import { onOneServer } from '../support/http/fixtures.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';
import { bundle, serve, type Files } from './sites.ts';

let files: Files = new Map();
const site = await serve((name) => files.get(name));

/** The app as it would be deployed. */
const built = async (server: string): Promise<Files> => {
	vi.stubEnv('VITE_POSTERN_URL', server);
	const files = await bundle(join(projectRoot, 'examples', 'spa'));
	vi.unstubAllEnvs();
	return files;
};

onOneServer(
	(fixture) => {
		let browser: Browser;
		let context: BrowserContext;
		let page: Page;
		let faults: string[];

		beforeAll(async () => {
			files = await built(fixture.server.address);
			browser = await chromium.launch(await findChromium());
		});
		afterAll(() => browser.close());
		beforeEach(async () => {
			context = await browser.newContext();
			page = await context.newPage();
			page.setDefaultTimeout(10_000);
			faults = [];
			page.on('pageerror', (error) => faults.push(error.message));
		});
		afterEach(async () => {
			await context.close();
			expect(faults).toEqual([]);
		});

		const button = (name: string) => page.getByRole('button', { name });
		const shows = (text: string): Promise<void> =>
			page.getByText(text, { exact: true }).first().waitFor();
		const says = (text: string): Promise<void> => page.getByRole('alert').getByText(text).waitFor();

		const askForCode = async (email: string): Promise<void> => {
			await page.getByLabel('Email').fill(email);
			await button('Send code').click();
		};
		const enterCode = async (code: string): Promise<void> => {
			await page.getByLabel('Code').fill(code);
			await button('Sign in').click();
		};
		/** Enters a wrong code, then the right one. */
		const enter = async (email: string): Promise<void> => {
			const before = fixture.server.codesSentTo(email);
			await askForCode(email);
			const code = await fixture.server.codeFor(email, before + 1);
			await enterCode(wrongCode(code));
			await says('That code is not right.');
			await enterCode(code);
			await shows(`Hello, ${email}`);
		};
		const elsewhere = (email: string): Promise<SignedIn> =>
			signIn(fixture.server, email, { 'user-agent': 'the old phone' });
		const stored = (): Promise<unknown> =>
			page.evaluate(() => [document.cookie, Object.keys(localStorage), sessionStorage.length]);
		/** Only the key of the browser, which gives access to nothing. */
		const STORED = ['', ['postern-client'], 0];

		const revokesAndSignsOut = async (other: SignedIn): Promise<void> => {
			await page.getByText('(this one)').waitFor();
			await page.getByText('the old phone').waitFor();
			await button('Revoke').click();
			await page.getByText('the old phone').waitFor({ state: 'detached' });
			expect(await whoIs(fixture.server, bearer(other.token))).toBeNull();
			await button('Sign out').click();
			await button('Send code').waitFor();
		};

		test('by cookie, from an origin of the same site: signed in, still so after a reload, signed out', async () => {
			const email = newAddress();
			const other = await elsewhere(email);
			await page.goto(site.sameSite);
			await enter(email);
			expect(await stored()).toEqual(STORED);
			await page.reload();
			await shows(`Hello, ${email}`);
			await revokesAndSignsOut(other);
			await page.reload();
			await button('Send code').waitFor();
			// The browser is a known device, which other clients cannot keep out.
			for (const _ of times(3, () => 0)) await freshCode(fixture.server, email);
			expect((await sendCode(fixture.server, email)).status).toBe(429);
			await enter(email);
		});

		test('by bearer, from another site: the token is in memory and nowhere else', async () => {
			const email = newAddress();
			const other = await elsewhere(email);
			let token = '';
			page.on('response', (response) => {
				token = response.headers()['set-auth-token'] ?? token;
			});
			await page.goto(`${site.crossSite}?mode=bearer`);
			await enter(email);
			expect(await whoIs(fixture.server, bearer(token))).toBe(email);
			expect(await stored()).toEqual(STORED);
			expect(await context.cookies(fixture.server.address)).toEqual([]);
			expect(await page.content()).not.toContain(token);
			await revokesAndSignsOut(other);
			expect(await whoIs(fixture.server, bearer(token))).toBeNull();

			await enter(email);
			await page.reload();
			await button('Send code').waitFor();
		});

		test('by cookie, from another site: explains why the sign-in did not last', async () => {
			const email = newAddress();
			await page.goto(site.crossSite);
			await askForCode(email);
			await enterCode(await fixture.server.codeFor(email));
			await says('The browser stored no cookie');
		});

		test.each(['cookie', 'bearer'].slice(0, rounds(1, 2)))(
			'by %s: detects that its session was ended elsewhere',
			async (mode) => {
				const email = newAddress();
				const other = await elsewhere(email);
				await page.goto(`${site.sameSite}?mode=${mode}`);
				await enter(email);
				const cookies = await context.cookies(fixture.server.address);
				expect(cookies.length > 0).toBe(mode === 'cookie');
				await button('Revoke').waitFor();
				await call(fixture.server, `${API}/revoke-other-sessions`, {
					method: 'POST',
					headers: bearer(other.token)
				});
				await button('Revoke').click();
				await says('Your session has ended.');
				await button('Send code').waitFor();
			}
		);

		test('shows the wait after too many code requests', async () => {
			const email = newAddress();
			for (const _ of times(5, () => 0)) await freshCode(fixture.server, email);
			await page.goto(site.sameSite);
			await askForCode(email);
			await page
				.getByRole('alert')
				.getByText(/Try again in \d+ seconds/)
				.waitFor();
		});
	},
	{ AUTH_TRUSTED_ORIGINS: `${site.sameSite},${site.crossSite}` }
);
