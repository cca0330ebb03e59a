import { afterEach, describe, expect, test } from 'vitest';
import {
	askOnPage,
	CONSENT,
	DELETE,
	enterOnPage,
	expiredIn,
	fromPage,
	LIST,
	rowsOf,
	appearance,
	statusAndBody,
	UNAUTHORIZED,
	UPDATE,
	userOf
} from '../../support/http/account.ts';
import { formsOf, openBrowser, textOf } from '../../support/http/browser.ts';
import {
	API,
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	rounds,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	VERIFY,
	whoIs,
	wrongCode,
	whoIsStored,
	type Answer
} from '../../support/http/client.ts';
import {
	onBothDatabases,
	onBothInLongForm,
	present,
	type Fixture
} from '../../support/http/fixtures.ts';
import { CACHE, SESSION, jarOf } from '../../support/http/cookie-jar.ts';

const DAY = 86_400;
const DELETED = [200, { success: true, message: 'User deleted' }];
const PAGE = '/auth/account-deleted';
const RESTORE_COOKIE = 'postern_restore';
const IN_GRACE = {
	message: 'Account is scheduled for deletion',
	code: 'ACCOUNT_DELETED',
	purgeAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
};
const INVALID = [400, { message: 'Invalid OTP', code: 'INVALID_OTP' }];

const helpersOf = (fixture: Fixture) => {
	const both = (index: number) => (index % 2 === 0 ? fixture.server : fixture.other);
	const remove = (headers: object, json: unknown = {}): Promise<Answer> =>
		call(fixture.server, DELETE, { json, headers: headers as never });
	const restore = (email: string, otp: string, server = fixture.server): Promise<Answer> =>
		call(server, VERIFY, { json: { email, otp, restore: true } });
	/** A user who deleted their account. */
	const deleted = async (email = newAddress('gone')) => {
		const person = await signIn(fixture.server, email);
		const { id } = await userOf(fixture, email);
		expect(statusAndBody(await remove(bearer(person.token)))).toEqual(DELETED);
		return { ...person, id: String(id) };
	};
	const idOf = ({ json }: Answer): string => (json() as { user: { id: string } }).user.id;
	/** A browser that has entered the right code of a deleted account. */
	const returned = async (path = '/auth/sign-in') => {
		const person = await deleted();
		const browser = openBrowser(fixture.server);
		const answer = await enterOnPage(fixture.server, browser, person.email, path);
		expect([answer.status, answer.headers.location]).toEqual([303, PAGE]);
		return { ...person, browser, answer };
	};
	return { both, remove, restore, deleted, idOf, returned };
};

onBothInLongForm(
	(fixture) => {
		const { both, remove, restore, deleted, idOf, returned } = helpersOf(fixture);

		afterEach(async () => {
			await fixture.server.shiftClock(0);
		});

		describe('over JSON', () => {
			test('delete-user answers, expires the cookies and emails how to restore the account, by cookie and by bearer', async () => {
				for (const way of ['cookie', 'bearer'] as const) {
					const person = await signIn(fixture.server);
					const headers =
						way === 'cookie' ? fromPage(fixture.server, jarOf(person)) : bearer(person.token);
					const answer = await remove(headers);
					expect([statusAndBody(answer), expiredIn(answer)]).toEqual([DELETED, [CACHE, SESSION]]);
					expect(answer.headers['cache-control']).toContain('no-store');
					await fixture.server.mailFor('account-deleted mail', person.email);
					const again = await remove(headers);
					expect(statusAndBody(again)).toEqual([401, UNAUTHORIZED]);
					await freshCode(fixture.server, newAddress());
					expect(fixture.server.mailsSentTo('account-deleted mail', person.email)).toBe(1);
				}
			});

			test('E15 deletion removes the sessions, codes and pending changes of the account, and its cached cookie is refused (GHSA-2vg6-77g8-24mp)', async () => {
				const email = newAddress();
				const [phone, laptop] = [
					await signIn(fixture.server, email),
					await signIn(fixture.other, email)
				];
				const { id } = await userOf(fixture, email);
				expect(await whoIs(fixture.other, { cookie: jarOf(laptop) })).toBe(email);
				await freshCode(fixture.server, email);
				const waiting = openBrowser(fixture.server);
				await askOnPage(waiting, email);
				const [byCode, byLink] = [newAddress('by-code'), newAddress('by-link')];
				const requestChange = (path: string, newEmail: string) =>
					call(fixture.server, API + path, { json: { newEmail }, headers: bearer(phone.token) });
				expect((await requestChange('/email-otp/request-email-change', byCode)).status).toBe(200);
				const code = await fixture.server.changeCodeFor(byCode);
				expect((await requestChange('/change-email', byLink)).status).toBe(200);
				await fixture.server.linkFor(byLink);

				expect(statusAndBody(await remove(bearer(phone.token)))).toEqual(DELETED);
				expect(
					await fixture.database.rows(
						`select * from verification where email in ('${email}', '${byCode}', '${byLink}') or binding = '${String(id)}'`
					)
				).toEqual([]);
				expect(await rowsOf(fixture, 'session', email)).toEqual([]);
				const user = await userOf(fixture, email);
				expect([user['id'], user['deleted_at'] === null]).toEqual([id, false]);

				for (const server of [fixture.server, fixture.other]) {
					for (const device of [phone, laptop]) {
						for (const headers of [fromPage(server, jarOf(device)), bearer(device.token)]) {
							const strict = await Promise.all([
								call(server, LIST, { headers }),
								call(server, UPDATE, { json: { name: 'x' }, headers }),
								call(server, CONSENT, { method: 'POST', headers }),
								call(server, CONSENT, { method: 'DELETE', headers }),
								call(server, DELETE, { json: {}, headers }),
								call(server, `${API}/email-otp/change-email`, {
									json: { newEmail: byCode, otp: code },
									headers
								})
							]);
							expect(strict.map(statusAndBody)).toEqual(times(6, () => [401, UNAUTHORIZED]));
						}
						expect(await whoIs(server, bearer(device.token))).toBeNull();
					}
				}
				expect(await whoIs(fixture.server, { cookie: jarOf(laptop) })).toBeNull();
				expect(
					(await call(fixture.server, '/app', { headers: { cookie: jarOf(phone) } })).status
				).toBe(303);
			});

			test('E23 O04 an unauthenticated call deletes no account, and an id in the body selects none', async () => {
				const [actor, target] = [await signIn(fixture.server), await signIn(fixture.server)];
				const { id } = await userOf(fixture, target.email);
				const ids = { userId: id, id, email: target.email, token: target.token };
				expect(statusAndBody(await remove({}, ids))).toEqual([401, UNAUTHORIZED]);
				const answer = await call(fixture.server, `${DELETE}?userId=${String(id)}`, {
					json: { ...ids, callbackURL: '/x', password: 'x' },
					headers: { ...bearer(actor.token), 'x-user-id': String(id) }
				});
				expect(statusAndBody(answer)).toEqual(DELETED);
				expect((await userOf(fixture, target.email))['deleted_at']).toBeNull();
				expect(await whoIs(fixture.server, bearer(target.token))).toBe(target.email);
				expect(await whoIs(fixture.server, bearer(actor.token))).toBeNull();
			});

			test('the right code returns ACCOUNT_DELETED with the purge date, ten times without being used up, and restores when the request asks for it', async () => {
				const { email, id, token } = await deleted();
				const code = await freshCode(fixture.server, email);
				const before = await rowsOf(fixture, 'verification', email);
				for (let time = 0; time < 10; time += 1) {
					const answer = await verifyCode(both(time), email, code);
					expect([statusAndBody(answer), answer.setCookies]).toEqual([[403, IN_GRACE], []]);
					expect(answer.headers['set-auth-token']).toBeUndefined();
					const { purgeAt } = answer.json() as { purgeAt: string };
					const { deleted_at: at } = await userOf(fixture, email);
					const grace = Date.parse(purgeAt) - new Date(at as string | number).getTime();
					expect(grace).toBe(30 * DAY * 1000);
				}
				expect(await rowsOf(fixture, 'verification', email)).toEqual(before);
				expect(await rowsOf(fixture, 'session', email)).toEqual([]);

				const back = await restore(email, code);
				expect([back.status, idOf(back)]).toEqual([200, id]);
				const fresh = (back.json() as { token: string }).token;
				expect(back.headers['set-auth-token']).toBe(fresh);
				expect(await whoIsStored(fixture.other, bearer(fresh))).toBe(email);
				// Sessions from before the deletion stay ended.
				expect(await whoIs(fixture.server, bearer(token))).toBeNull();
				expect((await userOf(fixture, email))['deleted_at']).toBeNull();
				expect(statusAndBody(await restore(email, code))).toEqual(INVALID);
				// The account is not new, so no second welcome email is sent.
				await freshCode(fixture.server, newAddress());
				expect(fixture.server.mailsSentTo('welcome mail', email)).toBe(1);
			});

			test('concurrent right codes give back only the attempts they took: wrong guesses stay counted', async () => {
				const { email } = await deleted();
				const code = await freshCode(fixture.server, email);
				for (let guess = 1; guess <= 4; guess += 1) {
					expect(
						statusAndBody(await verifyCode(both(guess), email, wrongCode(code, guess)))
					).toEqual(INVALID);
				}
				for (let time = 0; time < 3; time += 1) {
					expect((await verifyCode(both(time), email, code)).status).toBe(403);
				}
				expect(Number((await rowsOf(fixture, 'verification', email))[0]?.['attempts'])).toBe(4);
				expect(statusAndBody(await restore(email, wrongCode(code, 9)))).toEqual(INVALID);
				const dead = await restore(email, code);
				expect(statusAndBody(dead)).toEqual([
					403,
					{ message: 'Too many attempts', code: 'TOO_MANY_ATTEMPTS' }
				]);
				expect((await userOf(fixture, email))['deleted_at']).not.toBeNull();
			});

			test('C01 C03 code requests and wrong guesses get the answers of an address without an account, with and without restore', async () => {
				const deletedPerson = await deleted(newAddress('same'));
				const unknown = newAddress('same');
				const seen: object[][] = [];
				for (const email of [deletedPerson.email, unknown]) {
					const answers: Answer[] = [await sendCode(fixture.server, email)];
					const code = await fixture.server.codeFor(email, fixture.server.codesSentTo(email));
					for (let guess = 1; guess <= 4; guess += 1) {
						const json = { email, otp: wrongCode(code, guess), restore: guess % 2 === 0 };
						answers.push(await call(fixture.server, VERIFY, { json }));
					}
					answers.push(await verifyCode(fixture.server, email, wrongCode(code, 5)));
					answers.push(await verifyCode(fixture.server, email, wrongCode(code, 6)));
					answers.push(await verifyCode(fixture.server, email, code));
					answers.push(await verifyCode(fixture.server, email, 'x'));
					seen.push(answers.map(appearance));
					expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 1, 400: 7, 403: 1 });
				}
				expect(seen[0]).toEqual(seen[1]);
			});

			test('restore has no effect on an active account, and an unknown address gets a new account as usual', async () => {
				const known = await signIn(fixture.server);
				const answer = await restore(known.email, await freshCode(fixture.server, known.email));
				expect([answer.status, answer.text.includes(known.email)]).toEqual([200, true]);
				const unknown = newAddress();
				const created = await restore(unknown, await freshCode(fixture.server, unknown));
				expect(created.status).toBe(200);
				const other = await deleted();
				const code = await freshCode(fixture.server, other.email);
				for (const value of ['true', 1, null, {}]) {
					const json = { email: other.email, otp: code, restore: value };
					const refused = await call(fixture.server, VERIFY, { json });
					expect([refused.status, refused.text.includes('VALIDATION_ERROR'), value]).toEqual([
						400,
						true,
						value
					]);
				}
				expect((await userOf(fixture, other.email))['deleted_at']).not.toBeNull();
			});

			test('nothing reaches a deleted account except restoring it', async () => {
				const { email, id } = await deleted();
				const verification = await call(fixture.server, `${API}/email-otp/send-verification-otp`, {
					json: { email, type: 'email-verification' }
				});
				expect(statusAndBody(verification)).toEqual([200, { success: true }]);
				// Its email address stays taken: no other account can change to it.
				const other = await signIn(fixture.server);
				await call(fixture.server, `${API}/email-otp/request-email-change`, {
					json: { newEmail: email },
					headers: bearer(other.token)
				});
				await freshCode(fixture.server, newAddress());
				expect(fixture.server.mailsSentTo('email-verification code', email)).toBe(0);
				expect(fixture.server.mailsSentTo('email-change code', email)).toBe(0);
				expect((await rowsOf(fixture, 'user', email)).map((row) => row['id'])).toEqual([id]);
			});
		});

		describe('without JavaScript', () => {
			const restoreForm = (page: Answer): boolean =>
				formsOf(page.text, PAGE).some(({ action }) => action.includes('?/restore'));
			const expectStillDeleted = async (email: string): Promise<void> => {
				expect((await userOf(fixture, email))['deleted_at']).not.toBeNull();
				expect(await rowsOf(fixture, 'session', email)).toEqual([]);
			};

			test('the settings delete the account only with the box ticked, sign out, and redirect to the page about the deletion', async () => {
				const email = newAddress();
				const browser = openBrowser(fixture.server);
				await enterOnPage(fixture.server, browser, email);
				const { id } = await userOf(fixture, email);
				const unsure = await browser.submit(await browser.open('/settings'), '?/deleteAccount');
				expect(unsure.status).toBe(400);
				expect((await userOf(fixture, email))['deleted_at']).toBeNull();
				const settings = await browser.open('/settings');
				const done = await browser.submit(settings, '?/deleteAccount', { sure: 'on' });
				expect([done.status, done.headers.location]).toEqual([303, PAGE]);
				expect([browser.cookie(SESSION), browser.cookie(CACHE)]).toEqual([null, null]);
				await fixture.server.mailFor('account-deleted mail', email);
				const page = await browser.open(PAGE);
				expect(page.status).toBe(200);
				expect(textOf(page.text)).toContain('You can restore it for 30 days');
				expect(page.text).not.toContain(email);
				expect(restoreForm(page)).toBe(false);
				expect((await browser.open('/app')).status).toBe(303);
				// The session that deleted the account is no restore grant: a grant needs a code.
				expect((await browser.post(`${PAGE}?/restore`, {})).status).toBe(400);

				const back = await enterOnPage(fixture.server, browser, email, '/auth/sign-in');
				expect([back.status, back.headers.location]).toEqual([303, PAGE]);
				const restored = await browser.submit(await browser.open(PAGE), '?/restore');
				expect([restored.status, restored.headers.location]).toEqual([303, '/app']);
				expect((await userOf(fixture, email))['id']).toBe(id);
				expect((await browser.open('/app')).status).toBe(200);
			});

			test('a restore grant is not a session or a code, and gives no other access', async () => {
				const { email, browser } = await returned();
				const restoreToken = present(browser.cookie(RESTORE_COOKIE));
				expect(await whoIs(fixture.server, bearer(restoreToken))).toBeNull();
				for (const name of [SESSION, RESTORE_COOKIE]) {
					expect(await whoIs(fixture.server, { cookie: `${name}=${restoreToken}` })).toBeNull();
				}
				expect((await verifyCode(fixture.server, email, restoreToken)).status).toBe(400);
				expect((await browser.open('/app')).status).toBe(303);
				const dump = JSON.stringify(await fixture.database.dump());
				expect(dump).not.toContain(restoreToken);
				await expectStillDeleted(email);
			});
		});

		test('a restored account keeps its name, consent and email address', async () => {
			const person = await signIn(fixture.server);
			const headers = bearer(person.token);
			await call(fixture.server, UPDATE, { json: { name: 'Ada', image: 'x' }, headers });
			await call(fixture.server, CONSENT, { method: 'POST', headers });
			const before = present(await me(fixture.server, headers)).user;
			const data = await rowsOf(fixture, 'user_data', person.email);
			expect(statusAndBody(await remove(headers))).toEqual(DELETED);
			const back = await restore(person.email, await freshCode(fixture.server, person.email));
			const { user } = back.json() as { user: object };
			expect(user).toEqual({ ...before, updatedAt: expect.any(String) });
			expect(await rowsOf(fixture, 'user_data', person.email)).toEqual(data);
		});
	},
	{ processes: 2 }
);

onBothDatabases(
	(fixture) => {
		const { both, remove, restore, deleted, idOf, returned } = helpersOf(fixture);

		describe('over JSON', () => {
			test('of 50 concurrent restores with one code over two processes, exactly one opens a session', async () => {
				for (let round = 0; round < rounds(1, 20); round += 1) {
					const { email, id } = await deleted();
					const code = await freshCode(fixture.server, email);
					const answers = await Promise.all(times(50, (i) => restore(email, code, both(i))));
					const winners = answers.filter(({ status }) => status === 200);
					expect(winners.map(idOf)).toEqual([id]);
					const losers = answers.filter(({ status }) => status !== 200);
					expect(losers.filter(({ status }) => status !== 400 && status !== 403)).toEqual([]);
					expect(losers.flatMap(({ setCookies }) => setCookies)).toEqual([]);
					expect(await rowsOf(fixture, 'session', email)).toHaveLength(1);
					expect(await rowsOf(fixture, 'user', email)).toHaveLength(1);
				}
			});

			test('E15 a concurrent deletion and sign-in leave no session of a deleted account (CVE-2025-53942)', async () => {
				for (let round = 0; round < rounds(2, 100); round += 1) {
					const { email, token } = await signIn(fixture.server);
					const code = await freshCode(fixture.server, email);
					const [removed, entered] = await Promise.all([
						remove(bearer(token)),
						verifyCode(fixture.other, email, code)
					]);
					expect(statusAndBody(removed)).toEqual(DELETED);
					expect([200, 400, 403]).toContain(entered.status);
					expect((await userOf(fixture, email))['deleted_at']).not.toBeNull();
					expect(await rowsOf(fixture, 'session', email)).toEqual([]);
				}
			});
		});

		describe('without JavaScript', () => {
			test('of 50 concurrent restores with one restore grant, exactly one opens a session', async () => {
				const { email, browser } = await returned();
				const page = await browser.open(PAGE);
				const cookie = browser.cookies();
				const form = present(
					formsOf(page.text, PAGE).find(({ action }) => action.includes('restore'))
				);
				const answers = await Promise.all(
					times(50, (i) =>
						call(both(i), form.action, {
							method: 'POST',
							body: new URLSearchParams(form.fields).toString(),
							headers: {
								...{ cookie, accept: 'text/html', origin: both(i).address },
								'content-type': 'application/x-www-form-urlencoded'
							}
						})
					)
				);
				expect(tally(answers.map(({ status }) => status))).toEqual({ 303: 1, 400: 49 });
				expect(await rowsOf(fixture, 'session', email)).toHaveLength(1);
			});
		});
	},
	{ processes: 2 }
);
