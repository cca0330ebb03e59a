import { afterEach, describe, expect, test } from 'vitest';
import { askOnPage } from '../../support/http/account.ts';
import { formsOf, mainOf, openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	verifyCode,
	whoIs,
	wrongCode,
	ME,
	OUT,
	type Answer
} from '../../support/http/client.ts';
import { SESSION } from '../../support/http/cookie-jar.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

onBothInLongForm((fixture) => {
	afterEach(async () => {
		await fixture.server.shiftClock(0);
	});

	const codeInput = (page: Answer): string =>
		present(/<input[^>]*name="code"[^>]*>/.exec(page.text))[0];

	describe('without JavaScript', () => {
		test.each(['/auth/sign-in', '/auth/sign-up'])(
			'%s: address, wrong code, right code, and redirect to the requested page',
			async (path) => {
				const email = newAddress();
				const browser = openBrowser(fixture.server);
				const led = await browser.open('/app?tab=1&x=%2F%2Fy');
				expect(led.status).toBe(303);
				const first = present(led.headers.location).replace('/auth/sign-in', path);
				const codePage = await askOnPage(browser, email, first);
				expect(codePage.status).toBe(200);
				expect(textOf(codePage.text)).toContain(email);
				expect(codePage.headers['cache-control']).toContain('no-store');
				const code = await fixture.server.codeFor(email);

				const wrong = wrongCode(code);
				const again = await browser.submit(codePage, '?/verify', { code: wrong });
				expect(again.status).toBe(400);
				expect(codeInput(again)).toContain(`value="${wrong}"`);
				expect(codeInput(again)).toContain('aria-invalid="true"');
				expect(textOf(again.text)).toContain('You have 4 attempts left.');
				expect(browser.cookie(SESSION)).toBeNull();

				const done = await browser.submit(again, '?/verify', {
					code: ` ${code.slice(0, 3)} ${code.slice(3)} `
				});
				expect([done.status, done.headers.location]).toEqual([303, '/app?tab=1&x=%2F%2Fy']);
				const app = await browser.open(present(done.headers.location));
				expect(app.status).toBe(200);
				expect(textOf(app.text)).toContain(email);
				expect(await whoIs(fixture.server, { cookie: browser.cookies() })).toBe(email);
			}
		);

		test('the code field is one input with the right keyboard, and a reload keeps the page', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const page = await askOnPage(browser, email);
			expect(page.text.match(/<input[^>]*name="code"/g)).toHaveLength(1);
			expect(codeInput(page)).toMatch(/autocomplete="one-time-code"/);
			expect(codeInput(page)).toMatch(/inputmode="numeric"/);
			const reloaded = await browser.open('/auth/sign-in');
			expect(
				formsOf(reloaded.text, '/auth/sign-in').some(({ action }) => action.includes('?/verify'))
			).toBe(true);
			const other = await browser.open('/auth/sign-in?step=email');
			expect(formsOf(mainOf(other.text), '/auth/sign-in').map(({ action }) => action)).toEqual([
				expect.stringContaining('?/request')
			]);
		});

		test('an invalid address is 400, stays in the field and gets an error message', async () => {
			const browser = openBrowser(fixture.server);
			for (const email of ['nobody', 'a@b@c.com', 'x'.repeat(600)]) {
				const page = await browser.submit(await browser.open('/auth/sign-in'), '?/request', {
					email
				});
				expect(page.status).toBe(400);
				expect(page.text).toContain(`value="${email}"`);
				expect(textOf(page.text)).toContain('Enter a complete email address');
			}
			const empty = await browser.submit(await browser.open('/auth/sign-in'), '?/request', {
				email: ''
			});
			expect([empty.status, textOf(empty.text).includes('Enter your email address')]).toEqual([
				400,
				true
			]);
		});

		test('C01 requesting and guessing look the same for known and unknown addresses (CVE-2023-39522)', async () => {
			const known = (await signIn(fixture.server)).email;
			const seen = [];
			for (const email of [known, newAddress()]) {
				const browser = openBrowser(fixture.server);
				const response = await browser.post('/auth/sign-in?/request', {
					email,
					__superform_id: 'email'
				});
				const code = await fixture.server.codeFor(email, fixture.server.codesSentTo(email));
				const page = await browser.post('/auth/sign-in?/verify', {
					email,
					code: wrongCode(code),
					__superform_id: 'code'
				});
				seen.push([
					...[response.status, response.headers.location, Object.keys(response.headers)],
					...[page.status, textOf(page.text).replaceAll(email, 'EMAIL')]
				]);
			}
			expect(seen[0]).toEqual(seen[1]);
		});

		test('H06 a local redirectTo keeps its own query; the Referer is never a target (CVE-2026-40295)', async () => {
			const { cookie } = await signIn(fixture.server);
			for (const target of ['/app?a=1&b=2#c', '/path?x=//evil', '/?next=https://evil.com']) {
				const answer = await call(
					fixture.server,
					`/auth/sign-up?redirectTo=${encodeURIComponent(target)}`,
					{
						headers: { cookie, referer: 'https://evil.com/' }
					}
				);
				expect([answer.status, answer.headers.location]).toEqual([303, target]);
			}
		});

		test('someone signed in is redirected from sign-in and sign-up, and signs out by a form (CVE-2022-46172)', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const page = await askOnPage(browser, email);
			await browser.submit(page, '?/verify', { code: await fixture.server.codeFor(email) });
			for (const path of ['/auth/sign-in', '/auth/sign-up']) {
				const answer = await browser.open(path);
				expect([answer.status, answer.headers.location]).toEqual([303, '/app']);
			}
			const session = present(browser.cookie(SESSION));
			const confirm = await browser.open('/auth/sign-out');
			expect([confirm.status, textOf(confirm.text).includes(email)]).toEqual([200, true]);
			const out = await browser.submit(confirm, '/auth/sign-out');
			expect([out.status, out.headers.location]).toEqual([303, '/']);
			expect(browser.cookie(SESSION)).toBeNull();
			expect(await whoIs(fixture.server, { cookie: `${SESSION}=${session}` })).toBeNull();
			expect((await browser.open('/app')).status).toBe(303);
			expect((await browser.open('/auth/sign-out')).headers.location).toBe('/');
			expect((await browser.open('/')).status).toBe(200);
		});

		test('P01 pages carry a content security policy without unsafe-inline scripts', async () => {
			for (const path of ['/auth/sign-in', '/auth/sign-up', '/']) {
				const { headers } = await call(fixture.server, path);
				const policy = String(headers['content-security-policy']);
				for (const part of [
					"object-src 'none'",
					"base-uri 'none'",
					"frame-ancestors 'none'",
					"form-action 'self'"
				]) {
					expect(policy).toContain(part);
				}
				expect(/script-src[^;]*/.exec(policy)?.[0]).not.toContain('unsafe');
			}
		});
	});

	describe('a code that a browser requested', () => {
		test('guesses of another client over the API do not use it up', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const page = await askOnPage(browser, email);
			const code = await fixture.server.codeFor(email);
			for (let guess = 1; guess <= 20; guess += 1) {
				const answer = await verifyCode(fixture.server, email, wrongCode(code, guess));
				expect([answer.status, answer.json()]).toEqual([
					400,
					{ message: 'Invalid OTP', code: 'INVALID_OTP' }
				]);
			}
			expect(
				textOf((await browser.submit(page, '?/verify', { code: wrongCode(code) })).text)
			).toContain('4 attempts');
			expect((await browser.submit(page, '?/verify', { code })).status).toBe(303);
		});

		test('another client cannot use even the right code, by API or form, with or without its own cookie (CVE-2026-45337, GHSA-cq3f-vc6p-68fh)', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const page = await askOnPage(browser, email);
			const code = await fixture.server.codeFor(email);
			const stranger = openBrowser(fixture.server);
			await stranger.post('/auth/sign-in?/request', {
				email: newAddress(),
				__superform_id: 'email'
			});
			expect((await verifyCode(fixture.server, email, code)).status).toBe(400);
			const form = await stranger.post('/auth/sign-in?/verify', {
				email,
				code,
				__superform_id: 'code'
			});
			expect([form.status, stranger.cookie(SESSION)]).toEqual([400, null]);
			const api = await stranger.api('/api/auth/sign-in/email-otp', { json: { email, otp: code } });
			expect(api.status).toBe(400);
			expect((await browser.submit(page, '?/verify', { code })).status).toBe(303);
		});

		test('requests of other clients, over the API or from another browser, do not replace it', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const page = await askOnPage(browser, email);
			const code = await fixture.server.codeFor(email, 1);
			const loose = await freshCode(fixture.server, email);
			const stranger = openBrowser(fixture.server);
			await stranger.post('/auth/sign-up?/request', { email, __superform_id: 'email' });
			const theirs = await fixture.server.codeFor(email, 3);
			for (const guess of [loose, theirs]) {
				if (guess === code) continue;
				expect((await browser.submit(page, '?/verify', { code: guess })).status).toBe(400);
			}
			expect((await browser.submit(page, '?/verify', { code })).status).toBe(303);
			// The other two codes still work where they were requested.
			expect((await verifyCode(fixture.server, email, loose)).status).toBe(200);
			const theirDone = await stranger.post('/auth/sign-up?/verify', {
				email,
				code: theirs,
				__superform_id: 'code'
			});
			expect(theirDone.status).toBe(303);
		});

		test('a request over the API by a script of our page is bound by the same cookie', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const response = await browser.api('/api/auth/email-otp/send-verification-otp', {
				json: { email }
			});
			expect([response.status, browser.cookie('postern_browser')]).toEqual([
				200,
				expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)
			]);
			const code = await fixture.server.codeFor(email);
			expect((await verifyCode(fixture.server, email, code)).status).toBe(400);
			// The page shows it as pending, and its form uses it.
			const page = await browser.open('/auth/sign-in');
			expect(textOf(page.text)).toContain(email);
			expect((await browser.submit(page, '?/verify', { code })).status).toBe(303);
		});

		test('a browser whose cookie names no live code of the address can enter a code of the address alone (GHSA-x445-f3h2-j279)', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			await browser.post('/auth/sign-in?/request', {
				email: newAddress(),
				__superform_id: 'email'
			});
			const code = await freshCode(fixture.server, email);
			const done = await browser.api('/api/auth/sign-in/email-otp', { json: { email, otp: code } });
			expect(done.status).toBe(200);
			expect((await browser.api(ME, {})).text).toContain(email);
			expect((await browser.api(OUT, { json: {} })).status).toBe(200);
		});

		test('the first sign-in of an address sends one welcome email, later ones send none', async () => {
			const { email } = await signIn(fixture.server);
			await signIn(fixture.server, email);
			const last = await signIn(fixture.server);
			await expect
				.poll(() => fixture.server.output().includes(`welcome mail for ${last.email}`))
				.toBe(true);
			expect(fixture.server.output().split(`welcome mail for ${email}`)).toHaveLength(2);
			expect((await sendCode(fixture.server, last.email, bearer(last.token))).status).toBe(200);
		});
	});
});
