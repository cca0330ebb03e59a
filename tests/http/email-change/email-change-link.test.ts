import { afterEach, describe, expect, test } from 'vitest';
import { OTP_LENGTH, sanitizeCode } from '#lib/domain/sign-in/code.ts';
import { messages } from '#lib/messages/messages.ts';
import { openBrowser, textOf, type Browser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	newAddress,
	signIn,
	whoIs,
	API,
	ME,
	type Answer
} from '../../support/http/client.ts';
import {
	browserOf,
	changeByCode,
	changeCode,
	changeLink,
	confirmLink,
	follow,
	formKey,
	heading,
	LINK,
	linkOutcome,
	pathOfLink,
	refusal,
	settled,
	tokenOfLink,
	waitingFor,
	CHANGED,
	LANDING,
	REFUSED
} from '../../support/http/email-change.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';
import { SESSION } from '../../support/http/cookie-jar.ts';

const { title: TITLE } = messages.verifyEmail;

/** Requests a change on the settings page. */
const requestOnSettings = async (browser: Browser, email: string): Promise<Answer> => {
	const page = await browser.open('/settings');
	return browser.submit(page, '?/request', { email });
};

onBothInLongForm((fixture) => {
	afterEach(async () => {
		await fixture.server.shiftClock(0);
	});
	const open = (browser: Browser, link: string): Promise<Answer> =>
		follow(browser, pathOfLink(link));
	/** Enters the emailed code on the page that the browser was redirected to. */
	const signInOnPage = async (
		browser: Browser,
		path: string,
		email: string,
		count: number
	): Promise<Answer> => {
		const response = await browser.submit(await browser.open(path), '?/request', { email });
		const page = await browser.open(present(response.headers.location));
		return browser.submit(page, '?/verify', { code: await fixture.server.codeFor(email, count) });
	};

	describe('without JavaScript', () => {
		test('a change from the settings: request it, open the emailed link, confirm', async () => {
			const person = await signIn(fixture.server);
			const browser = browserOf(fixture.server, person);
			const to = newAddress('new');
			const response = await requestOnSettings(browser, to);
			expect([response.status, response.headers.location]).toEqual([303, '/settings#email']);
			const told = await browser.open('/settings');
			expect(textOf(told.text)).toContain(to);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);

			const page = await open(browser, await fixture.server.linkFor(to));
			expect([page.status, heading(page)]).toEqual([200, TITLE]);
			expect(textOf(page.text)).toContain(`Current ${person.email} New ${to}`);
			const done = await browser.submit(page, '?/confirm');
			expect(linkOutcome(done)).toBe(CHANGED);
			expect(browser.cookie(LINK)).toBeNull();

			const settings = await browser.open(present(done.headers.location));
			expect(settings.status).toBe(200);
			expect(textOf(settings.text)).toContain(to);
			expect(textOf(settings.text)).not.toContain(person.email);
			expect((await browser.api(ME, {})).text).toContain(to);
			expect(await fixture.server.mailFor('email-change notice', person.email)).toMatch(
				/^completed, undo with http/
			);
			await settled(fixture.server);
			expect(fixture.server.mailsSentTo('email-change notice', person.email)).toBe(1);
			expect(fixture.server.mailsSentTo('email-change notice', to)).toBe(0);
		});

		test('an invalid request shows the error at the field, and keeps the typed text', async () => {
			const person = await signIn(fixture.server);
			const browser = browserOf(fixture.server, person);
			for (const [email, words] of [
				['nobody', messages.errors.invalidEmail],
				['', messages.errors.emptyEmail],
				[person.email.toUpperCase(), messages.errors.sameEmail]
			] as const) {
				const page = await requestOnSettings(browser, email);
				expect([page.status, textOf(page.text).includes(words), email]).toEqual([400, true, email]);
				expect(page.text).toContain(`value="${email}"`);
				expect(/<input[^>]*id="new-email"[^>]*>/.exec(page.text)?.[0]).toContain('aria-invalid');
			}
		});

		test('K02 for a signed-out visitor the page requires a sign-in and opens no session by itself; after signing in, the change can be confirmed', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, person, to);
			const before = await fixture.database.rows('select * from session');
			const browser = openBrowser(fixture.server);
			const page = await open(browser, link);
			expect([page.status, heading(page)]).toEqual([200, TITLE]);
			expect(textOf(page.text)).toContain(messages.verifyEmail.signedOut);
			// An unauthenticated visitor sees neither the owner nor the target of the link.
			expect(page.text).not.toContain(person.email);
			expect(page.text).not.toContain(to);
			expect(browser.cookie(SESSION)).toBeNull();
			expect((await browser.api(ME, {})).text).toBe('null');
			expect(await fixture.database.rows('select * from session')).toEqual(before);

			const [, signInPath] = /href="(\/auth\/sign-in\?[^"]+)"/.exec(page.text) ?? [];
			expect(new URL(present(signInPath), 'http://x').searchParams.get('redirectTo')).toBe(LANDING);
			const done = await signInOnPage(browser, present(signInPath), person.email, 2);
			expect([done.status, done.headers.location]).toEqual([303, LANDING]);
			const back = await browser.open(LANDING);
			expect(heading(back)).toBe(TITLE);
			expect(linkOutcome(await browser.submit(back, '?/confirm'))).toBe(CHANGED);
			expect((await browser.api(ME, {})).text).toContain(to);
			// Another browser made the request.
			expect(await whoIs(fixture.server, bearer(person.token))).toBeNull();
		});

		test('A10 a code does not work as a link, nor a link as a code', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const code = await changeCode(fixture.server, person, to);
			const link = await changeLink(fixture.server, person, to);
			const token = tokenOfLink(link);
			expect(refusal(await changeByCode(fixture.server, bearer(person.token), to, token))).toEqual([
				400,
				'INVALID_OTP'
			]);
			const form = await formKey(fixture.server);
			const [row] = await fixture.database.rows(
				`select hash from verification where email = '${to}' and purpose = 'email_change_link'`
			);
			// The code, the stored hash, and the token cut or with one letter replaced.
			const tail = token.endsWith('A') ? 'E' : 'A';
			for (const other of [
				code,
				String(row?.['hash']),
				token.slice(1),
				token.slice(0, -1) + tail
			]) {
				const forged = `${fixture.server.address}${LANDING}?token=${encodeURIComponent(other)}`;
				const sent = await confirmLink(fixture.server, form, person, forged);
				expect([linkOutcome(sent), other]).toEqual([REFUSED, other]);
			}
			// A token with as many digits as a code counts as a guess like any other.
			const guesses = sanitizeCode(token).length === OTP_LENGTH ? 1 : 0;
			expect(await waitingFor(fixture.database, to)).toEqual([
				['email_change', guesses],
				['email_change_link', 0]
			]);
			expect(linkOutcome(await confirmLink(fixture.server, form, person, link))).toBe(CHANGED);
		});
	});

	test('K16 the token moves from the URL to a cookie at once, and appears in no page, header, URL or log line', async () => {
		const person = await signIn(fixture.server);
		const link = await changeLink(fixture.server, person, newAddress('new'), '/app?x=1');
		const token = tokenOfLink(link);
		const browser = browserOf(fixture.server, person);
		const otherBrowser = openBrowser(fixture.server);
		const byApi = `${API}/verify-email?token=${token}`;
		const pages: Answer[] = [];
		for (const one of [browser, otherBrowser]) {
			const redirected = await one.open(pathOfLink(link));
			expect([redirected.status, redirected.headers.location]).toEqual([
				303,
				`${LANDING}?callbackURL=%2Fapp%3Fx%3D1`
			]);
			const line = redirected.setCookies.find((cookie) => cookie.startsWith(`${LINK}=`));
			expect(line).toMatch(new RegExp(`^${LINK}=${token}; `));
			expect(line).toMatch(/; HttpOnly/i);
			expect(line).toMatch(/; SameSite=Lax/i);
			expect(line).toMatch(/; Path=\/(;|$)/i);
			expect(line).toMatch(/; Max-Age=3600/i);
			expect(line).not.toMatch(/domain=/i);
			const page = await one.open(present(redirected.headers.location));
			expect(page.status).toBe(200);
			pages.push(redirected, page);
		}
		const led = await otherBrowser.open(byApi);
		expect(new URL(present(led.headers.location), fixture.server.address).pathname).toBe(LANDING);
		const data = await call(fixture.server, `${LANDING}/__data.json`, {
			headers: { cookie: browser.cookies() }
		});
		const confirmed = await browser.submit(present(pages[1]), '?/confirm');
		expect([confirmed.status, confirmed.headers.location]).toEqual([303, '/app?x=1']);
		for (const answer of [...pages, led, data, confirmed]) {
			expect(answer.headers['referrer-policy']).toBe('same-origin');
			expect(answer.headers['cache-control']).toContain('no-store');
		}
		for (const answer of [...pages, data, confirmed]) {
			expect(answer.text).not.toContain(token);
			const { 'set-cookie': _, ...headers } = answer.headers;
			expect(JSON.stringify(headers)).not.toContain(token);
		}
		for (const page of [pages[1], pages[3]]) {
			const addresses = [...present(page).text.matchAll(/(?:src|href|action)="([^"]*)"/g)];
			expect(addresses.length).toBeGreaterThan(3);
			for (const [, address = ''] of addresses) {
				expect(new URL(address, fixture.server.address).origin).toBe(fixture.server.address);
			}
		}
		// Requests with wrong methods and spellings are logged as well.
		await call(fixture.server, `${LANDING}?token=${token}`, { method: 'PUT' });
		await call(fixture.server, `${LANDING}/?token=${token}`);
		await call(fixture.server, `/auth/verify-email%zz?token=${token}`);
		await settled(fixture.server);
		const lines = fixture.server.output().split('\n');
		const mailed = lines.filter((text) => text.startsWith('[postern] email-change link for '));
		expect(lines.filter((text) => text.includes('/auth/verify-email')).length).toBeGreaterThan(5);
		expect(lines.filter((text) => text.includes(token) && !mailed.includes(text))).toEqual([]);
	});
});
