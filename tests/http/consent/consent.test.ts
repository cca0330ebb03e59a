import { afterEach, expect, test } from 'vitest';
import {
	askOnPage,
	CONSENT,
	consentOf,
	enterOnPage,
	fromPage,
	rowsOf,
	statusAndBody,
	UNAUTHORIZED,
	userOf
} from '../../support/http/account.ts';
import { formsOf, mainOf, openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	signIn,
	times,
	whoIs,
	wrongCode,
	OUT
} from '../../support/http/client.ts';
import { messages } from '#lib/messages/messages.ts';
import { unsubscribeTokenOf } from '../../support/http/unsubscribe-link.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';
import { SESSION, jarOf } from '../../support/http/cookie-jar.ts';

const DONE = [200, { success: true }];
const WISH = 'postern_consent';
const TICKED = { consent: 'on' };

onBothInLongForm(
	(fixture) => {
		const consent = (headers: object, more: object = {}) =>
			call(fixture.server, CONSENT, { method: 'POST', headers: headers as never, ...more });

		afterEach(async () => {
			await fixture.server.shiftClock(0);
		});

		/** From here on the store refuses to write consents. */
		const refuseConsent = async (): Promise<void> => {
			if (fixture.engine === 'PostgreSQL') {
				await fixture.database.rows(
					`create function refuse_consent() returns trigger language plpgsql as
					$$ begin raise exception 'consent is refused by the store'; end $$`
				);
			}
			for (const event of ['insert', 'update']) {
				await fixture.database.rows(
					fixture.engine === 'PostgreSQL'
						? `create trigger refuse_consent_${event} before ${event} on user_data
							for each row when (new.marketing_opt_in) execute function refuse_consent()`
						: `create trigger refuse_consent_${event} before ${event} on user_data
							when new.marketing_opt_in begin select raise(abort, 'consent is refused by the store'); end`
				);
			}
		};
		const takeConsentAgain = async (): Promise<void> => {
			for (const event of ['insert', 'update']) {
				await fixture.database.rows(
					`drop trigger if exists refuse_consent_${event}${fixture.engine === 'PostgreSQL' ? ' on user_data' : ''}`
				);
			}
			if (fixture.engine === 'PostgreSQL') {
				await fixture.database.rows('drop function if exists refuse_consent()');
			}
		};

		test('the call by cookie or bearer records consent with its time', async () => {
			for (const way of ['cookie', 'bearer'] as const) {
				const person = await signIn(fixture.server);
				expect(await consentOf(fixture, person.email)).toBe(false);
				const headers =
					way === 'cookie' ? fromPage(fixture.server, jarOf(person)) : bearer(person.token);
				expect(statusAndBody(await consent(headers))).toEqual(DONE);
				expect(await consentOf(fixture, person.email)).toBe(true);
				const [row] = await rowsOf(fixture, 'user_data', person.email);
				const at = new Date(row?.['marketing_opt_in_at'] as string).getTime();
				expect(Math.abs(Date.now() - at)).toBeLessThan(60_000);
				expect(Boolean(row?.['is_trial_eligible'])).toBe(true);
			}
		});

		test('it ignores any body of any content type', async () => {
			for (const [type, body] of [
				[null, undefined],
				[null, 'x'],
				['application/json', '{}'],
				['application/json', '{"consent":false,"marketingOptIn":false}'],
				['application/json', '{not json'],
				['text/plain', 'no'],
				['application/x-www-form-urlencoded', 'consent=off'],
				['nonsense', '\0'],
				['image/png; x', 'x'.repeat(1000)]
			] as const) {
				const person = await signIn(fixture.server);
				const headers = {
					...bearer(person.token),
					...(type === null ? {} : { 'content-type': type })
				};
				const answer = await consent(headers, body === undefined ? {} : { body });
				expect([statusAndBody(answer), type, body]).toEqual([DONE, type, body]);
				expect(await consentOf(fixture, person.email)).toBe(true);
			}
		});

		test('repeated calls, also concurrent ones, keep the first time', async () => {
			const person = await signIn(fixture.server);
			const atOnce = await Promise.all(
				times(20, (i) =>
					call(i % 2 ? fixture.server : fixture.other, CONSENT, {
						method: 'POST',
						headers: bearer(person.token)
					})
				)
			);
			expect(atOnce.map(statusAndBody)).toEqual(times(20, () => DONE));
			const before = await rowsOf(fixture, 'user_data', person.email);
			expect(before).toHaveLength(1);
			await fixture.server.shiftClock(1000);
			expect(statusAndBody(await consent(bearer(person.token)))).toEqual(DONE);
			expect(await rowsOf(fixture, 'user_data', person.email)).toEqual(before);
		});

		test('a user without a row of account data gets one', async () => {
			const person = await signIn(fixture.server);
			const { id } = await userOf(fixture, person.email);
			await fixture.database.rows(`delete from user_data where user_id = '${String(id)}'`);
			expect(await consentOf(fixture, person.email)).toBeNull();
			expect(statusAndBody(await consent(bearer(person.token)))).toEqual(DONE);
			expect(await consentOf(fixture, person.email)).toBe(true);
			const [row] = await rowsOf(fixture, 'user_data', person.email);
			expect(Boolean(row?.['is_trial_eligible'])).toBe(true);
		});

		test('E07 E23 unauthenticated and signed-out callers get 401, and no id in the request selects the user', async () => {
			const [actor, target] = [await signIn(fixture.server), await signIn(fixture.server)];
			const { id } = await userOf(fixture, target.email);
			const signedOut = await signIn(fixture.server);
			await call(fixture.server, OUT, { json: {}, headers: bearer(signedOut.token) });
			for (const headers of [{}, bearer('x'), fromPage(fixture.server, jarOf(signedOut))]) {
				expect(statusAndBody(await consent(headers))).toEqual([401, UNAUTHORIZED]);
			}
			const answer = await call(fixture.server, `${CONSENT}?userId=${String(id)}`, {
				json: { userId: id, id, email: target.email },
				headers: { ...bearer(actor.token), 'x-user-id': String(id) }
			});
			expect(statusAndBody(answer)).toEqual(DONE);
			expect([
				await consentOf(fixture, actor.email),
				await consentOf(fixture, target.email),
				await consentOf(fixture, signedOut.email)
			]).toEqual([true, false, false]);
		});

		test('DELETE by cookie or bearer withdraws, and each change is one record', async () => {
			for (const way of ['cookie', 'bearer'] as const) {
				const person = await signIn(fixture.server);
				const headers =
					way === 'cookie' ? fromPage(fixture.server, jarOf(person)) : bearer(person.token);
				await consent(headers);
				for (let time = 0; time < 2; time += 1) {
					const done = await call(fixture.server, CONSENT, { method: 'DELETE', headers });
					expect(statusAndBody(done)).toEqual(DONE);
				}
				expect(await consentOf(fixture, person.email)).toBe(false);
				const records = await rowsOf(fixture, 'consent_record', person.email);
				const shared = { purpose: 'marketing', source: way === 'cookie' ? 'page' : 'app' };
				expect(records).toHaveLength(2);
				expect(records).toEqual(
					expect.arrayContaining(
						['granted', 'withdrawn'].map(
							(action) => expect.objectContaining({ ...shared, action, place: CONSENT }) as unknown
						)
					)
				);
			}
		});

		test('the one-click request of an email app withdraws, and its page works as a plain form', async () => {
			const people = [await signIn(fixture.server), await signIn(fixture.server)] as const;
			const tokens: string[] = [];
			for (const { email, token } of people) {
				await consent(bearer(token));
				tokens.push(await unsubscribeTokenOf(fixture.database, email));
			}
			const oneClick = await call(fixture.server, `/api/unsubscribe/${tokens[0]}`, {
				method: 'POST',
				headers: { 'content-type': 'application/x-www-form-urlencoded' },
				body: 'List-Unsubscribe=One-Click'
			});
			expect(statusAndBody(oneClick)).toEqual(DONE);

			const opened = await call(fixture.server, `/api/unsubscribe/${tokens[1]}`);
			const path = `/unsubscribe/${tokens[1]}`;
			expect([opened.status, opened.headers.location]).toEqual([302, path]);
			const browser = openBrowser(fixture.server);
			const page = await browser.open(path);
			expect([page.status, page.headers['cache-control']]).toEqual([200, 'no-store']);
			expect(page.headers['referrer-policy']).toBe('same-origin');
			expect(page.text).not.toContain(people[1].email);
			expect(await consentOf(fixture, people[1].email)).toBe(true);
			const pressed = await browser.submit(page, '?/unsubscribe');
			expect([pressed.status, pressed.headers.location]).toEqual([303, path]);
			expect(textOf((await browser.open(path)).text)).toContain(messages.unsubscribe.doneTitle);
			for (const { email } of people) expect(await consentOf(fixture, email)).toBe(false);
		});

		test('other methods are refused, and none withdraws the consent', async () => {
			const person = await signIn(fixture.server);
			await consent(bearer(person.token));
			for (const method of ['GET', 'PUT', 'PATCH']) {
				const answer = await call(fixture.server, CONSENT, {
					method,
					headers: bearer(person.token)
				});
				expect([answer.status, answer.headers.allow, method]).toEqual([
					405,
					'POST, DELETE',
					method
				]);
			}
			expect(await consentOf(fixture, person.email)).toBe(true);
		});

		test('when the store fails, the answer is an error without details of the store', async () => {
			const person = await signIn(fixture.server);
			await refuseConsent();
			try {
				const answer = await consent(bearer(person.token));
				expect(answer.status).toBeGreaterThanOrEqual(500);
				expect(Object.keys(answer.json() as object)).toEqual(['message', 'code']);
				expect(answer.text).not.toMatch(/consent|store|trigger|sql|insert/i);
			} finally {
				await takeConsentAgain();
			}
			expect(await consentOf(fixture, person.email)).toBe(false);
			expect(statusAndBody(await consent(bearer(person.token)))).toEqual(DONE);
		});

		test('without JavaScript, the box on the sign-up page takes effect once the right code was entered', async () => {
			const [ticked, unticked] = [newAddress(), newAddress()];
			const browser = openBrowser(fixture.server);
			const page = await askOnPage(browser, ticked, '/auth/sign-up', TICKED);
			expect(await rowsOf(fixture, 'user_data', ticked)).toEqual([]);
			const code = await fixture.server.codeFor(ticked);
			const done = await browser.submit(page, '?/verify', { code });
			expect([done.status, done.headers.location]).toEqual([303, '/app']);
			expect(await consentOf(fixture, ticked)).toBe(true);
			expect(browser.cookie(WISH)).toBeNull();

			const other = openBrowser(fixture.server);
			expect((await enterOnPage(fixture.server, other, unticked, '/auth/sign-up')).status).toBe(
				303
			);
			const [row] = await rowsOf(fixture, 'user_data', unticked);
			expect([Boolean(row?.['marketing_opt_in']), row?.['marketing_opt_in_at']]).toEqual([
				false,
				null
			]);
			expect(other.cookie(WISH)).toBeNull();
		});

		test('the box is on the sign-up page only, unticked, in its only form', async () => {
			for (const [path, boxes] of [
				['/auth/sign-up', 1],
				['/auth/sign-in', 0]
			] as const) {
				const page = await openBrowser(fixture.server).open(path);
				const found = page.text.match(/<input[^>]*name="consent"[^>]*>/g) ?? [];
				expect([found.length, path]).toEqual([boxes, path]);
				expect(found.join()).not.toMatch(/\schecked/);
				expect(formsOf(mainOf(page.text), path)).toHaveLength(1);
			}
		});

		test('an existing account can consent too, and keeps the first time', async () => {
			const person = await signIn(fixture.server);
			await enterOnPage(
				fixture.server,
				openBrowser(fixture.server),
				person.email,
				'/auth/sign-up',
				TICKED
			);
			expect(await consentOf(fixture, person.email)).toBe(true);
			const before = await rowsOf(fixture, 'user_data', person.email);
			await fixture.server.shiftClock(60);
			const again = openBrowser(fixture.server);
			await enterOnPage(fixture.server, again, person.email, '/auth/sign-up', TICKED);
			// Signing in without the tick does not withdraw consent.
			await enterOnPage(fixture.server, openBrowser(fixture.server), person.email, '/auth/sign-up');
			expect(await rowsOf(fixture, 'user_data', person.email)).toEqual(before);
		});

		test('a consent that cannot be stored neither fails the sign-in nor shows an error, and is logged', async () => {
			await refuseConsent();
			try {
				for (const email of [newAddress(), (await signIn(fixture.server)).email]) {
					const browser = openBrowser(fixture.server);
					const before = fixture.server.output().length;
					const done = await enterOnPage(fixture.server, browser, email, '/auth/sign-up', TICKED);
					expect([done.status, done.headers.location]).toEqual([303, '/app']);
					expect(await whoIs(fixture.server, { cookie: browser.cookies() })).toBe(email);
					const app = await browser.open('/app');
					expect(app.status).toBe(200);
					expect(textOf(app.text)).not.toMatch(/wrong|error|fail|consent/i);
					expect(await consentOf(fixture, email)).toBe(false);
					expect(browser.cookie(WISH)).toBeNull();
					// Log lines are in order, so after this code no earlier line is still to come.
					await freshCode(fixture.server, newAddress());
					expect(fixture.server.output().slice(before)).toContain('"event":"fault"');
				}
			} finally {
				await takeConsentAgain();
			}
		});

		test('the tick survives a wrong code and a new code, and takes effect with the right one', async () => {
			const email = newAddress();
			const browser = openBrowser(fixture.server);
			const page = await askOnPage(browser, email, '/auth/sign-up', TICKED);
			const code = await fixture.server.codeFor(email);
			const wrong = await browser.submit(page, '?/verify', { code: wrongCode(code) });
			expect(wrong.status).toBe(400);
			expect(await rowsOf(fixture, 'user_data', email)).toEqual([]);
			await fixture.server.shiftClock(31);
			const resent = await browser.submit(await browser.open('/auth/sign-up'), '?/resend');
			expect(resent.status).toBe(303);
			const fresh = await fixture.server.codeFor(email, 2);
			const done = await browser.submit(await browser.open('/auth/sign-up'), '?/verify', {
				code: fresh
			});
			expect([done.status, done.headers.location]).toEqual([303, '/app']);
			expect(await consentOf(fixture, email)).toBe(true);
		});

		test('requesting a code again without the tick withdraws it', async () => {
			const email = newAddress();
			const browser = openBrowser(fixture.server);
			await askOnPage(browser, email, '/auth/sign-up', TICKED);
			expect(browser.cookie(WISH)).not.toBeNull();
			// The page remembers the tick, so the user must remove it.
			const again = await browser.open('/auth/sign-up?step=email');
			expect(again.text).toMatch(/<input[^>]*name="consent"[^>]*\schecked/);
			const fields = { email, __superform_id: 'email' };
			expect((await browser.post('/auth/sign-up?/request', fields)).status).toBe(303);
			expect(browser.cookie(WISH)).toBeNull();
			const code = await fixture.server.codeFor(email);
			const page = await browser.open('/auth/sign-up');
			expect((await browser.submit(page, '?/verify', { code })).status).toBe(303);
			expect(await consentOf(fixture, email)).toBe(false);
		});

		test('the pending tick is in an HttpOnly cookie of this browser, and has no effect for the next user who signs in', async () => {
			const email = newAddress();
			const browser = openBrowser(fixture.server);
			const response = await browser.submit(await browser.open('/auth/sign-up'), '?/request', {
				email,
				...TICKED
			});
			const line = present(response.setCookies.find((one) => one.startsWith(`${WISH}=`)));
			expect(line).toMatch(/; HttpOnly/i);
			expect(line).toMatch(/; SameSite=Lax/i);
			expect(line).toMatch(/; Max-Age=900\b/i);
			// The cookie has neither the email address nor anything usable for another one.
			expect(line).not.toMatch(/ada|example|%40|@/i);
			// The next user of this browser requests a code without the tick.
			const next = newAddress();
			await enterOnPage(fixture.server, browser, next, '/auth/sign-in?step=email');
			expect(browser.cookie(SESSION)).not.toBeNull();
			expect(await consentOf(fixture, next)).toBe(false);
			expect(browser.cookie(WISH)).toBeNull();
		});
	},
	{ processes: 2 }
);
