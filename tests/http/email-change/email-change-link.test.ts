import { afterEach, describe, expect, test } from 'vitest';
import { OTP_LENGTH, sanitizeCode } from '#lib/domain/sign-in/code.ts';
import { messages } from '#lib/messages/messages.ts';
import { formsOf, openBrowser, textOf, type Browser } from '../../support/http/browser.ts';
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
	accountAt,
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
	REFUSED,
	SIGN_IN,
	TAKEN
} from '../../support/http/email-change.ts';
import { onBothDatabases, present } from '../../support/http/fixtures.ts';
import { jarOf, SESSION } from '../../support/http/cookie-jar.ts';

const { title: TITLE, noneTitle: NOTHING, refusedTitle: NOT_CHANGED } = messages.verifyEmail;

const actionsOf = (page: Answer, at: string): readonly string[] =>
	formsOf(page.text, at).map(({ action }) => action);
/** Asks for a change on the settings page. */
const requestOnSettings = async (browser: Browser, email: string): Promise<Answer> => {
	const page = await browser.open('/settings');
	return browser.submit(page, '?/request', { email });
};

onBothDatabases((fixture) => {
	afterEach(async () => {
		await fixture.server.shiftClock(0);
	});
	const open = (browser: Browser, link: string): Promise<Answer> =>
		follow(browser, pathOfLink(link));
	/** Enters the code that was sent to an address on the page that a browser was led to. */
	const signInOnPage = async (
		browser: Browser,
		path: string,
		email: string,
		count: number
	): Promise<Answer> => {
		const asked = await browser.submit(await browser.open(path), '?/request', { email });
		const page = await browser.open(present(asked.headers.location));
		return browser.submit(page, '?/verify', { code: await fixture.server.codeFor(email, count) });
	};

	describe('without script', () => {
		test('a change from the settings to the new address: ask, open the link, confirm', async () => {
			const person = await signIn(fixture.server);
			const browser = browserOf(fixture.server, person);
			const to = newAddress('new');
			const asked = await requestOnSettings(browser, to);
			expect([asked.status, asked.headers.location]).toEqual([303, '/settings?done=link#email']);
			const told = await browser.open('/settings?done=link');
			expect(textOf(told.text)).toContain(to);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);

			const page = await open(browser, await fixture.server.linkFor(to));
			expect([page.status, heading(page)]).toEqual([200, TITLE]);
			expect(textOf(page.text)).toContain(`Now ${person.email} New ${to}`);
			const done = await browser.submit(page, '?/confirm');
			expect(linkOutcome(done)).toBe(CHANGED);
			expect(browser.cookie(LINK)).toBeNull();

			const settings = await browser.open(present(done.headers.location));
			expect(settings.status).toBe(200);
			expect(textOf(settings.text)).toContain(to);
			expect(textOf(settings.text)).not.toContain(person.email);
			expect((await browser.api(ME, {})).text).toContain(to);
			expect(await fixture.server.mailFor('email-change notice', person.email)).toBe('completed');
			await settled(fixture.server);
			expect(fixture.server.mailsSentTo('email-change notice', person.email)).toBe(1);
			expect(fixture.server.mailsSentTo('email-change notice', to)).toBe(0);
		});

		test('what cannot be asked for is told at the field, and what was typed is kept', async () => {
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
			const to = newAddress('new');
			for (let send = 0; send < 5; send += 1)
				expect((await requestOnSettings(browser, to)).status).toBe(303);
			const sixth = await requestOnSettings(browser, to);
			expect([sixth.status, sixth.headers['retry-after']]).toEqual([
				429,
				expect.stringMatching(/^[1-9]\d{0,2}$/)
			]);
		});

		test('C04 a taken address is answered as a free one, and no mail goes there', async () => {
			const owner = await signIn(fixture.server, newAddress('taken'));
			const browser = browserOf(fixture.server, await signIn(fixture.server));
			const told: string[] = [];
			for (const email of [newAddress('freed'), owner.email]) {
				const asked = await requestOnSettings(browser, email);
				expect([asked.status, asked.headers.location]).toEqual([303, '/settings?done=link#email']);
				const page = await browser.open('/settings?done=link');
				told.push(textOf(page.text).replaceAll(email, 'the new address'));
			}
			expect(told[1]).toBe(told[0]);
			await settled(fixture.server);
			expect(fixture.server.mailsSentTo('email-change link', owner.email)).toBe(0);
			expect(await whoIs(fixture.server, bearer(owner.token))).toBe(owner.email);
		});

		test('a waiting change can be cancelled in the settings; its link is dead then', async () => {
			const browser = browserOf(fixture.server, await signIn(fixture.server));
			const to = newAddress('new');
			await requestOnSettings(browser, to);
			const link = await fixture.server.linkFor(to);
			const settings = await browser.open('/settings');
			expect(textOf(settings.text)).toContain(to);
			expect((await browser.submit(settings, '?/cancelChange')).status).toBe(303);
			expect(textOf((await browser.open('/settings')).text)).not.toContain(to);
			expect(heading(await open(browser, link))).toBe(NOT_CHANGED);
			expect(linkOutcome(await browser.post(`${LANDING}?/confirm`, {}))).toBe(REFUSED);
			expect(await accountAt(fixture.database, to)).toBeNull();
		});

		test('K02 opened signed out: the page asks to sign in, nobody is signed in by it, and after signing in there the change is confirmed', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, person, to);
			const before = await fixture.database.rows('select * from session');
			const browser = openBrowser(fixture.server);
			const page = await open(browser, link);
			expect([page.status, heading(page)]).toEqual([200, TITLE]);
			expect(textOf(page.text)).toContain(messages.verifyEmail.signedOut);
			// Whose link it is and where it leads is nothing for a stranger.
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
			// The browser that asked was another one.
			expect(await whoIs(fixture.server, bearer(person.token))).toBeNull();
		});

		test('K02 confirmed signed out: the form leads to sign-in, changes nothing and keeps the link', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, person, to);
			const browser = openBrowser(fixture.server);
			await open(browser, link);
			const sent = await browser.post(`${LANDING}?/confirm`, {});
			expect([linkOutcome(sent), sent.headers.location]).toEqual([
				SIGN_IN,
				`/auth/sign-in?redirectTo=${encodeURIComponent(LANDING)}`
			]);
			expect(browser.cookie(SESSION)).toBeNull();
			expect(browser.cookie(LINK)).toBe(tokenOfLink(link));
			expect(await accountAt(fixture.database, to)).toBeNull();
		});

		test('K03 opened and confirmed as another user: refused, both accounts unchanged, and the link still good for its owner', async () => {
			const [asker, other] = [await signIn(fixture.server), await signIn(fixture.server)];
			const to = newAddress('new');
			const link = await changeLink(fixture.server, asker, to);
			const before = [
				await accountAt(fixture.database, asker.email),
				await accountAt(fixture.database, other.email)
			];
			const browser = browserOf(fixture.server, other);
			const page = await open(browser, link);
			expect([page.status, heading(page)]).toEqual([200, NOT_CHANGED]);
			expect(page.text).not.toContain(asker.email);
			expect(page.text).not.toContain(to);
			expect(actionsOf(page, LANDING).filter((action) => action.includes('confirm'))).toEqual([]);
			const form = await formKey(fixture.server);
			for (const sent of [
				await browser.post(`${LANDING}?/confirm`, {}),
				await confirmLink(fixture.server, form, other, link)
			]) {
				expect(linkOutcome(sent)).toBe(REFUSED);
			}
			expect([
				await accountAt(fixture.database, asker.email),
				await accountAt(fixture.database, other.email)
			]).toEqual(before);
			expect(linkOutcome(await confirmLink(fixture.server, form, asker, link))).toBe(CHANGED);
		});

		test('K04 an old link after the address changed otherwise, with the old one owned by another: refused for both', async () => {
			const asker = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, asker, to);
			const elsewhere = newAddress('elsewhere');
			const code = await changeCode(fixture.server, asker, elsewhere);
			expect(
				(await changeByCode(fixture.server, bearer(asker.token), elsewhere, code)).status
			).toBe(200);
			const heir = await signIn(fixture.server, asker.email);
			const form = await formKey(fixture.server);
			for (const person of [asker, heir]) {
				expect(heading(await open(browserOf(fixture.server, person), link))).toBe(NOT_CHANGED);
				expect(linkOutcome(await confirmLink(fixture.server, form, person, link))).toBe(REFUSED);
			}
			expect(await whoIs(fixture.server, bearer(asker.token))).toBe(elsewhere);
			expect(await whoIs(fixture.server, bearer(heir.token))).toBe(asker.email);
			expect(await accountAt(fixture.database, to)).toBeNull();
		});

		test('K04 no id in the address, the form or a cookie makes a link another account’s', async () => {
			const [asker, other] = [await signIn(fixture.server), await signIn(fixture.server)];
			const [mine, theirs] = [newAddress('new'), newAddress('new')];
			const link = await changeLink(fixture.server, asker, mine);
			await changeLink(fixture.server, other, theirs);
			const id = String(present(await accountAt(fixture.database, asker.email))['id']);
			const query = `userId=${id}&user=${id}&id=${id}&email=${asker.email}&newEmail=${mine}`;
			const browser = browserOf(fixture.server, other);
			browser.plant('userId', id);
			expect(heading(await open(browser, `${link}&${query}`))).toBe(NOT_CHANGED);
			const sent = await browser.post(`${LANDING}?/confirm&${query}`, {
				...{ userId: id, email: asker.email, newEmail: mine, token: tokenOfLink(link) }
			});
			expect(linkOutcome(sent)).toBe(REFUSED);
			expect(await whoIs(fixture.server, bearer(asker.token))).toBe(asker.email);
			expect(await whoIs(fixture.server, bearer(other.token))).toBe(other.email);
		});

		test('K05 a link is good once', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, person, to);
			const form = await formKey(fixture.server);
			expect(linkOutcome(await confirmLink(fixture.server, form, person, link))).toBe(CHANGED);
			expect(linkOutcome(await confirmLink(fixture.server, form, person, link))).toBe(REFUSED);
			expect(heading(await open(browserOf(fixture.server, person), link))).toBe(NOT_CHANGED);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(to);
		});

		test('K06 of two links asked for one after the other only the later is good, and for its own address', async () => {
			const person = await signIn(fixture.server);
			const [first, second] = [newAddress('new'), newAddress('new')];
			const older = await changeLink(fixture.server, person, first);
			const newer = await changeLink(fixture.server, person, second);
			const form = await formKey(fixture.server);
			expect(linkOutcome(await confirmLink(fixture.server, form, person, older))).toBe(REFUSED);
			expect(linkOutcome(await confirmLink(fixture.server, form, person, newer))).toBe(CHANGED);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(second);
			expect(await accountAt(fixture.database, first)).toBeNull();
		});

		test('K07 an address taken meanwhile is told in words, and both accounts stay as they are', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const browser = browserOf(fixture.server, person);
			const page = await open(browser, await changeLink(fixture.server, person, to));
			const owner = await signIn(fixture.server, to);
			const sent = await browser.submit(page, '?/confirm');
			expect([linkOutcome(sent), heading(sent)]).toEqual([TAKEN, NOT_CHANGED]);
			expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
			expect(await whoIs(fixture.server, bearer(owner.token))).toBe(to);
		});

		test('A12 a link is good at 3599 s and refused at 3601 s', async () => {
			const [early, late] = [await signIn(fixture.server), await signIn(fixture.server)];
			const [inTime, tooLate] = [
				await changeLink(fixture.server, early, newAddress('new')),
				await changeLink(fixture.server, late, newAddress('new'))
			];
			const form = await formKey(fixture.server);
			await fixture.server.shiftClock(3599);
			expect(linkOutcome(await confirmLink(fixture.server, form, early, inTime))).toBe(CHANGED);
			expect(heading(await open(browserOf(fixture.server, late), tooLate))).toBe(TITLE);
			await fixture.server.shiftClock(3601);
			expect(heading(await open(browserOf(fixture.server, late), tooLate))).toBe(NOT_CHANGED);
			expect(linkOutcome(await confirmLink(fixture.server, form, late, tooLate))).toBe(REFUSED);
			expect(await whoIs(fixture.server, bearer(late.token))).toBe(late.email);
		});

		test('A10 no code is a link, and no link a code', async () => {
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
			// The code, the stored hash and the token cut or with a letter exchanged.
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
			// With just as many digits in it as a code has, the token was a guess like any other.
			const guesses = sanitizeCode(token).length === OTP_LENGTH ? 1 : 0;
			expect(await waitingFor(fixture.database, to)).toEqual([
				['email_change', guesses],
				['email_change_link', 0]
			]);
			expect(linkOutcome(await confirmLink(fixture.server, form, person, link))).toBe(CHANGED);
		});

		test('A14 an empty, doubled or mangled token opens nothing, and a page without one says so', async () => {
			const person = await signIn(fixture.server);
			const link = await changeLink(fixture.server, person, newAddress('new'));
			for (const query of ['?token=', '?token=%00', '?token=x', `?token=${'a'.repeat(5000)}`]) {
				const browser = browserOf(fixture.server, person);
				const page = await follow(browser, LANDING + query);
				expect([page.status, heading(page), query]).toEqual([200, NOT_CHANGED, query]);
				expect(browser.cookie(LINK)).toBeNull();
			}
			const browser = browserOf(fixture.server, person);
			expect(heading(await browser.open(LANDING))).toBe(NOTHING);
			expect(linkOutcome(await browser.post(`${LANDING}?/confirm`, {}))).toBe(REFUSED);
			// Two cookies of the name: which one is ours cannot be told.
			const twice = await call(fixture.server, LANDING, {
				headers: {
					cookie: `${jarOf(person)}; ${LINK}=${tokenOfLink(link)}; ${LINK}=${'A'.repeat(43)}`
				}
			});
			expect(heading(twice)).toBe(NOTHING);
		});

		test('the link can be put off: this browser forgets it, and it goes on waiting', async () => {
			const person = await signIn(fixture.server);
			const link = await changeLink(fixture.server, person, newAddress('new'));
			const signedIn = browserOf(fixture.server, person);
			const page = await open(signedIn, link);
			const later = await signedIn.submit(page, '?/dismiss');
			expect([later.status, later.headers.location]).toEqual([303, '/settings']);
			const stranger = openBrowser(fixture.server);
			const put = await stranger.submit(await open(stranger, link), '?/dismiss');
			expect([put.status, put.headers.location]).toEqual([303, '/']);
			for (const browser of [signedIn, stranger]) {
				expect(browser.cookie(LINK)).toBeNull();
				expect(heading(await browser.open(LANDING))).toBe(NOTHING);
			}
			const again = await open(signedIn, link);
			expect(linkOutcome(await signedIn.submit(again, '?/confirm'))).toBe(CHANGED);
		});

		test('E07 a jar of cookies used after the session ended asks for nothing and confirms nothing', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, person, to);
			const browser = browserOf(fixture.server, person);
			const page = await open(browser, link);
			await fixture.database.rows(
				`delete from session where user_id = (select id from "user" where email = '${person.email}')`
			);
			const other = newAddress('new');
			const asked = await browser.post('/settings?/request', { email: other });
			expect(linkOutcome(asked)).toBe(SIGN_IN);
			expect(heading(await browser.open(LANDING))).toBe(TITLE);
			expect(textOf((await browser.open(LANDING)).text)).not.toContain(to);
			expect(linkOutcome(await browser.submit(page, '?/confirm'))).toBe(SIGN_IN);
			expect(await accountAt(fixture.database, to)).toBeNull();
			await settled(fixture.server);
			expect(fixture.server.mailsSentTo('email-change link', other)).toBe(0);
		});

		test('a form without its token, or from another site, confirms nothing', async () => {
			const person = await signIn(fixture.server);
			const to = newAddress('new');
			const link = await changeLink(fixture.server, person, to);
			const form = await formKey(fixture.server);
			const other = await formKey(fixture.server);
			for (const csrf of ['', 'x', other.csrf]) {
				const sent = await confirmLink(fixture.server, { ...form, csrf }, person, link);
				expect(sent.status).toBe(403);
			}
			for (const origin of ['https://evil.example', 'null']) {
				const sent = await call(fixture.server, `${LANDING}?/confirm`, {
					method: 'POST',
					body: new URLSearchParams({ csrf: form.csrf }).toString(),
					headers: {
						...{ cookie: `${form.cookie}; ${person.cookie}; ${LINK}=${tokenOfLink(link)}`, origin },
						'content-type': 'application/x-www-form-urlencoded'
					}
				});
				expect(sent.status).toBe(403);
			}
			expect(await accountAt(fixture.database, to)).toBeNull();
		});
	});

	test('K16 the token leaves the address for a cookie at once, and stands in no page, header, address or log line', async () => {
		const person = await signIn(fixture.server);
		const link = await changeLink(fixture.server, person, newAddress('new'), '/app?x=1');
		const token = tokenOfLink(link);
		const browser = browserOf(fixture.server, person);
		const stranger = openBrowser(fixture.server);
		const byApi = `${API}/verify-email?token=${token}`;
		const pages: Answer[] = [];
		for (const one of [browser, stranger]) {
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
		const led = await stranger.open(byApi);
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
		// Wrong methods and spellings are logged as well.
		await call(fixture.server, `${LANDING}?token=${token}`, { method: 'PUT' });
		await call(fixture.server, `${LANDING}/?token=${token}`);
		await call(fixture.server, `/auth/verify-email%zz?token=${token}`);
		await settled(fixture.server);
		const lines = fixture.server.output().split('\n');
		const mailed = lines.filter((text) => text.startsWith('[postern] email-change link for '));
		expect(lines.filter((text) => text.includes('/auth/verify-email')).length).toBeGreaterThan(5);
		expect(lines.filter((text) => text.includes(token) && !mailed.includes(text))).toEqual([]);
	});

	test.each([
		['callbackURL', (value: string) => value],
		['next', (value: string) => Buffer.from(value).toString('base64url')]
	] as const)(
		'%s is where the person is led afterwards, unless a stranger put it there',
		async (parameter, encode) => {
			for (const [callbackURL, location] of [
				['/app?x=//y', '/app?x=//y'],
				['capacitor://localhost/done', 'capacitor://localhost/done'],
				['//evil.example', '/settings?done=address#email'],
				['https://evil.example/', '/settings?done=address#email'],
				['javascript:alert(1)', '/settings?done=address#email'],
				['\0', '/settings?done=address#email'],
				['', '/settings?done=address#email']
			] as const) {
				const person = await signIn(fixture.server);
				const link = new URL(await changeLink(fixture.server, person, newAddress('new')));
				link.searchParams.set(parameter, encode(callbackURL));
				const browser = browserOf(fixture.server, person);
				const page = await open(browser, link.href);
				expect(heading(page)).toBe(TITLE);
				expect(page.text).not.toContain('evil.example');
				const done = await browser.submit(page, '?/confirm');
				expect([done.status, done.headers.location]).toEqual([303, location]);
			}
		}
	);

	test('a callbackURL survives signing in on the way', async () => {
		const person = await signIn(fixture.server);
		const link = await changeLink(fixture.server, person, newAddress('new'), '/app?x=1&y=2');
		const browser = openBrowser(fixture.server);
		const page = await open(browser, link);
		const [, href = ''] = /href="(\/auth\/sign-in\?[^"]+)"/.exec(page.text) ?? [];
		const done = await signInOnPage(browser, href.replaceAll('&amp;', '&'), person.email, 2);
		const back = await browser.open(present(done.headers.location));
		const confirmed = await browser.submit(back, '?/confirm');
		expect([confirmed.status, confirmed.headers.location]).toEqual([303, '/app?x=1&y=2']);
	});
});
