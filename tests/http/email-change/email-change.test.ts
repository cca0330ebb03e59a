import type { OutgoingHttpHeaders } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import {
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	pairOf,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	whoIs,
	wrongCode,
	API,
	ME,
	OUT,
	type Answer,
	type SignedIn,
	shown
} from '../../support/http/client.ts';
import { forgetSessions } from '../../support/http/forget-sessions.ts';
import { jarOf, liveJar } from '../../support/http/cookie-jar.ts';
import {
	accountAt,
	askByCode,
	askByLink,
	browserOf,
	changeByCode,
	changeCode,
	changeLink,
	confirmLink,
	formKey,
	isThrottled,
	linkOutcome,
	nextOfLink,
	refusal,
	settled,
	waitingFor,
	ASK_BY_CODE,
	ASK_BY_LINK,
	CHANGE_BY_CODE,
	CHANGED,
	CHECK,
	LANDING,
	SIGN_IN,
	VERIFY_EMAIL
} from '../../support/http/email-change.ts';
import {
	onBothDatabases,
	onBothInLongForm,
	onOneServer,
	present
} from '../../support/http/fixtures.ts';

const INVALID_OTP = [400, 'INVALID_OTP'] as const;
const UNAUTHORIZED = { message: 'Unauthorized', code: 'UNAUTHORIZED' };
const TOO_MANY = {
	message: 'Too many requests. Please try again later.',
	code: 'TOO_MANY_REQUESTS'
};
const WAYS = [
	{ way: 'code', request: askByCode, path: ASK_BY_CODE, done: { success: true } },
	{ way: 'link', request: askByLink, path: ASK_BY_LINK, done: { status: true } }
] as const;

onBothInLongForm(
	(fixture) => {
		const own = (cookie: string): OutgoingHttpHeaders => ({
			cookie,
			origin: fixture.server.address
		});
		const mailsTo = (email: string): number =>
			(['email-change code', 'email-change link', 'email-verification code'] as const)
				.map((kind) => fixture.server.mailsSentTo(kind, email))
				.reduce((sum, count) => sum + count, 0);
		/** Deletes the account of a person, which can be restored for a while. */
		const deleteAccount = async ({ token }: SignedIn): Promise<void> => {
			const answer = await call(fixture.server, `${API}/delete-user`, {
				json: {},
				headers: bearer(token)
			});
			expect(answer.status).toBe(200);
		};

		afterEach(async () => {
			await fixture.server.shiftClock(0);
		});

		describe.each(WAYS)('requested by $way', ({ way, request, path, done }) => {
			test('K13 success by bearer and by cookie, and nothing changes before it is confirmed (GHSA-fmh4-wcc4-5jm3)', async () => {
				const person = await signIn(fixture.server);
				const before = await accountAt(fixture.database, person.email);
				for (const headers of [bearer(person.token), own(person.cookie), own(jarOf(person))]) {
					const newEmail = newAddress('new');
					const answer = await request(fixture.server, headers, newEmail);
					expect([answer.status, answer.json()]).toEqual([200, done]);
					expect(answer.headers['set-auth-token']).toBeUndefined();
					await fixture.server.mailFor(`email-change ${way}`, newEmail);
					expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
					expect(await accountAt(fixture.database, newEmail)).toBeNull();
				}
				expect(await accountAt(fixture.database, person.email)).toEqual(before);
			});

			test('K14 the current address in any spelling is EMAIL_IS_THE_SAME, an invalid one is INVALID_EMAIL, and neither counts as a send', async () => {
				const person = await signIn(fixture.server);
				const headers = bearer(person.token);
				await fixture.database.rows(`delete from auth_throttle where email = '${person.email}'`);
				const { email } = person;
				for (const same of [email, email.toUpperCase(), `  ${email}\n`, email.replace('a', 'ａ')]) {
					const answer = await request(fixture.server, headers, same);
					expect([answer.status, answer.json(), same]).toEqual([
						400,
						{ message: 'Email is the same', code: 'EMAIL_IS_THE_SAME' },
						same
					]);
				}
				expect(await isThrottled(fixture.database, email)).toBe(false);
				for (const none of ['', ' ', 'nobody', 'a@@example.com', `${email},x@example.com`]) {
					const answer = await request(fixture.server, headers, none);
					expect([answer.status, answer.json(), none]).toEqual([
						400,
						{ message: 'Invalid email', code: 'INVALID_EMAIL' },
						none
					]);
				}
			});

			test('A14 a field that is missing or of another type is VALIDATION_ERROR', async () => {
				const { token } = await signIn(fixture.server);
				const values = [undefined, null, 5, true, ['a@example.com'], { $ne: '' }];
				for (const newEmail of values) {
					const answer = await request(fixture.server, bearer(token), newEmail);
					expect([answer.status, answer.json(), newEmail]).toEqual([
						400,
						{ message: expect.stringMatching(/^\[body\.newEmail\] ./), code: 'VALIDATION_ERROR' },
						newEmail
					]);
				}
			});

			test('an unauthenticated call with a valid body gets 401', async () => {
				const newEmail = newAddress('new');
				const unknown = bearer('A'.repeat(43));
				for (const headers of [{}, unknown, own(`postern_session=${'A'.repeat(43)}`)]) {
					const answer = await request(fixture.server, headers, newEmail);
					expect([answer.status, answer.json()]).toEqual([401, UNAUTHORIZED]);
					expect(refusal(await request(fixture.server, headers, 'nobody'))).toEqual([
						401,
						'UNAUTHORIZED'
					]);
					expect(refusal(await request(fixture.server, headers, 5))).toEqual([
						400,
						'VALIDATION_ERROR'
					]);
				}
				await settled(fixture.server);
				expect(mailsTo(newEmail)).toBe(0);
				expect(await isThrottled(fixture.database, newEmail)).toBe(false);
			});

			test('C04 an address that is taken, deleted or pending for another account gets the answer of a free one, to the byte, and nothing is sent there', async () => {
				const owner = await signIn(fixture.server, newAddress('taken'));
				const code = await freshCode(fixture.server, owner.email);
				const deleted = await signIn(fixture.server, newAddress('taken'));
				await deleteAccount(deleted);
				const awaited = newAddress('taken');
				await changeCode(fixture.server, await signIn(fixture.server), awaited);

				const person = await signIn(fixture.server);
				const before = await fixture.database.dump();
				const free = await request(fixture.server, bearer(person.token), newAddress('freed'));
				expect(free.status).toBe(200);
				for (const email of [owner.email, deleted.email, awaited]) {
					const answer = await request(fixture.server, bearer(person.token), email);
					expect(shown(answer)).toEqual(shown(free));
					expect(answer.headers['content-length']).toBe(free.headers['content-length']);
				}
				await settled(fixture.server);
				expect([mailsTo(owner.email), mailsTo(deleted.email)]).toEqual([0, 0]);
				const after = await fixture.database.dump();
				for (const table of ['user', 'session', 'user_data']) {
					const { added, removed } = newsOf(after[table], before[table]);
					expect([table, removed, added]).toEqual([table, [], []]);
				}
				expect((await verifyCode(fixture.server, owner.email, code)).status).toBe(200);
				expect(await whoIs(fixture.server, bearer(owner.token))).toBe(owner.email);
			});

			test('E07 all cookies of an ended session get 401 immediately, with or without the cache', async () => {
				const person = await signIn(fixture.server);
				const jar = await liveJar(fixture.server, person);
				const headers = own(jar);
				await forgetSessions(fixture, person);
				expect(await whoIs(fixture.server, { cookie: jar })).toBe(person.email);
				for (const query of ['', '?disableCookieCache=false']) {
					const answer = await call(fixture.server, path + query, {
						json: { newEmail: newAddress('new') },
						headers
					});
					expect([answer.status, answer.json()]).toEqual([401, UNAUTHORIZED]);
				}
				const out = await signIn(fixture.server);
				await call(fixture.server, OUT, { json: {}, headers: own(jarOf(out)) });
				expect((await request(fixture.server, own(jarOf(out)), newAddress('new'))).status).toBe(
					401
				);
				await fixture.server.holdMonotonic(false);
			});

			test('another method is 405', async () => {
				const { token } = await signIn(fixture.server);
				for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE']) {
					const answer = await call(fixture.server, path, { method, headers: bearer(token) });
					expect([answer.status, answer.headers.allow, method]).toEqual([405, 'POST', method]);
				}
			});
		});

		test('callbackURL must be a safe path or on a trusted site, checked after the schema and before the session', async () => {
			const person = await signIn(fixture.server);
			const bad = [
				'//evil.example',
				'https://evil.example/',
				'/\\evil',
				'/%2fevil',
				'app',
				'',
				'/..//evil'
			];
			for (const callbackURL of bad) {
				for (const headers of [bearer(person.token), {}]) {
					for (const newEmail of [newAddress('new'), 'nobody', person.email]) {
						const answer = await askByLink(fixture.server, headers, newEmail, callbackURL);
						expect([answer.status, answer.json(), callbackURL]).toEqual([
							403,
							{ message: 'Invalid callbackURL', code: 'INVALID_CALLBACK_URL' },
							callbackURL
						]);
					}
				}
				expect(refusal(await askByLink(fixture.server, {}, 5, callbackURL))).toEqual([
					400,
					'VALIDATION_ERROR'
				]);
			}
			for (const callbackURL of [5, null, ['/app'], {}, `/${'a'.repeat(512)}`]) {
				expect(
					refusal(
						await askByLink(fixture.server, bearer(person.token), newAddress('new'), callbackURL)
					)
				).toEqual([400, 'VALIDATION_ERROR']);
			}
			for (const callbackURL of [
				'/app?x=//y#z',
				'capacitor://localhost/x',
				fixture.server.address
			]) {
				const newEmail = newAddress('new');
				const link = await changeLink(fixture.server, person, newEmail, callbackURL);
				expect(nextOfLink(link)).toBe(callbackURL);
				// An email to another person contains no text that the caller chose.
				expect([...new URL(link).searchParams.keys()]).toEqual(['token', 'next']);
			}
		});

		test('a link is on this site, leads to the landing page and names no account', async () => {
			const person = await signIn(fixture.server);
			const link = await changeLink(fixture.server, person, newAddress('new'));
			const { origin, pathname, searchParams } = new URL(link);
			expect([origin, pathname, [...searchParams.keys()]]).toEqual([
				fixture.server.address,
				LANDING,
				['token']
			]);
			expect(searchParams.get('token')).toMatch(/^[A-Za-z0-9_-]{86}$/);
		});

		test('GET verify-email leads to the landing page and changes nothing', async () => {
			const get = (query: string, method = 'GET'): Promise<Answer> =>
				call(fixture.server, `${API}/verify-email${query}`, { method });
			const before = await fixture.database.dump();
			for (const [query, location] of [
				[
					'?token=abc&callbackURL=%2Fapp%3Fx%3D1',
					`${LANDING}?token=abc&callbackURL=%2Fapp%3Fx%3D1`
				],
				['?token=abc&userId=1&x=y', `${LANDING}?token=abc`]
			] as const) {
				for (const method of ['GET', 'HEAD']) {
					const answer = await get(query, method);
					expect([answer.status, answer.headers.location, answer.text]).toEqual([
						302,
						location,
						''
					]);
					expect(answer.headers['referrer-policy']).toBe('same-origin');
					expect(answer.headers['cache-control']).toContain('no-store');
					expect(answer.setCookies).toEqual([]);
				}
			}
			expect(refusal(await get('?token=abc&callbackURL=//evil.example'))).toEqual([
				403,
				'INVALID_CALLBACK_URL'
			]);
			const posted = await get('?token=abc', 'POST');
			expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD']);
			expect(await fixture.database.dump()).toEqual(before);
		});

		describe('by code', () => {
			test('K11 K12 the code moves the account once, notifies the old address once, and keeps the session', async () => {
				const person = await signIn(fixture.server);
				const account = present(await accountAt(fixture.database, person.email));
				const newEmail = newAddress('new');
				const code = await changeCode(fixture.server, person, newEmail);
				const answer = await changeByCode(
					fixture.server,
					bearer(person.token),
					` ${newEmail.toUpperCase()} `,
					` ${code.slice(0, 3)}-${code.slice(3)}`
				);
				expect([answer.status, answer.json(), answer.setCookies]).toEqual([
					200,
					{ success: true },
					[]
				]);
				const { user } = present(await me(fixture.server, bearer(person.token)));
				expect([user['id'], user['email'], user['emailVerified']]).toEqual([
					account['id'],
					newEmail,
					true
				]);
				expect(await accountAt(fixture.database, person.email)).toBeNull();

				const again = await changeByCode(fixture.server, bearer(person.token), newEmail, code);
				expect(refusal(again)).toEqual(INVALID_OTP);
				expect(await fixture.server.mailFor('email-change notice', person.email)).toMatch(
					/^completed, undo with http/
				);
				await settled(fixture.server);
				expect(fixture.server.mailsSentTo('email-change notice', person.email)).toBe(1);
				expect(fixture.server.mailsSentTo('email-change notice', newEmail)).toBe(0);
			});

			test('K12 the fifth attempt may still be right, the sixth is refused', async () => {
				const lucky = await signIn(fixture.server);
				const to = newAddress('new');
				const code = await changeCode(fixture.server, lucky, to);
				const guess = (person: SignedIn, email: string, otp: string): Promise<Answer> =>
					changeByCode(fixture.server, bearer(person.token), email, otp);
				for (const step of [1, 2, 3, 4]) {
					const answer = await guess(lucky, to, wrongCode(code, step));
					expect([answer.status, answer.json()]).toEqual([
						400,
						{ message: 'Invalid OTP', code: 'INVALID_OTP' }
					]);
				}
				expect((await guess(lucky, to, code)).status).toBe(200);

				const late = await signIn(fixture.server);
				const other = newAddress('new');
				const right = await changeCode(fixture.server, late, other);
				for (const step of [1, 2, 3, 4, 5]) await guess(late, other, wrongCode(right, step));
				const sixth = await guess(late, other, right);
				expect([sixth.status, sixth.json()]).toEqual([
					403,
					{ message: 'Too many attempts', code: 'TOO_MANY_ATTEMPTS' }
				]);
				expect(refusal(await guess(late, other, right))).toEqual(INVALID_OTP);
				expect(await whoIs(fixture.server, bearer(late.token))).toBe(late.email);
			});

			test('C04 a taken address answers a series of guesses as a free one does', async () => {
				const owner = await signIn(fixture.server, newAddress('taken'));
				const person = await signIn(fixture.server);
				const series = async (email: string): Promise<readonly object[]> => {
					await askByCode(fixture.server, bearer(person.token), email);
					const answers: object[] = [];
					for (let guess = 1; guess <= 8; guess += 1) {
						const otp = String(guess).repeat(6);
						answers.push(
							shown(await changeByCode(fixture.server, bearer(person.token), email, otp))
						);
					}
					return answers;
				};
				const free = await series(newAddress('freed'));
				expect(await series(owner.email)).toEqual(free);
				expect(free.map((answer) => (answer as Answer).status)).toEqual([
					...[400, 400, 400, 400, 400, 403, 400, 400]
				]);
				expect(await whoIs(fixture.server, bearer(owner.token))).toBe(owner.email);
			});

			test('K12 a code from another user’s session is INVALID_OTP and costs its owner no attempt', async () => {
				const [asker, other] = [await signIn(fixture.server), await signIn(fixture.server)];
				const to = newAddress('new');
				const code = await changeCode(fixture.server, asker, to);
				for (let guess = 0; guess < 7; guess += 1) {
					const answer = await changeByCode(fixture.server, bearer(other.token), to, code);
					expect(refusal(answer)).toEqual(INVALID_OTP);
				}
				expect(await waitingFor(fixture.database, to)).toEqual([['email_change', 0]]);
				expect(await whoIs(fixture.server, bearer(other.token))).toBe(other.email);
				expect((await changeByCode(fixture.server, bearer(asker.token), to, code)).status).toBe(
					200
				);
			});

			test('A11 for another address a code is INVALID_OTP and uses no attempt at its own', async () => {
				const person = await signIn(fixture.server);
				const [to, other] = [newAddress('new'), newAddress('new')];
				const code = await changeCode(fixture.server, person, to);
				for (const email of [other, person.email, `x${to}`, to, to, to]) {
					const answer = await changeByCode(fixture.server, bearer(person.token), email, '1');
					expect(refusal(answer)).toEqual(INVALID_OTP);
				}
				for (const email of [other, person.email, `x${to}`]) {
					const answer = await changeByCode(fixture.server, bearer(person.token), email, code);
					expect(refusal(answer)).toEqual(INVALID_OTP);
				}
				expect(await waitingFor(fixture.database, to)).toEqual([['email_change', 0]]);
				expect((await changeByCode(fixture.server, bearer(person.token), to, code)).status).toBe(
					200
				);
			});

			test('A12 a code is accepted at 599 s and expired at 601 s, whatever guesses came between', async () => {
				const [early, late] = [await signIn(fixture.server), await signIn(fixture.server)];
				const [first, second] = [newAddress('new'), newAddress('new')];
				const inTime = await changeCode(fixture.server, early, first);
				const tooLate = await changeCode(fixture.server, late, second);
				await fixture.server.shiftClock(599);
				expect(
					(await changeByCode(fixture.server, bearer(early.token), first, inTime)).status
				).toBe(200);
				expect(
					refusal(
						await changeByCode(fixture.server, bearer(late.token), second, wrongCode(tooLate))
					)
				).toEqual(INVALID_OTP);
				await fixture.server.shiftClock(601);
				const expired = await changeByCode(fixture.server, bearer(late.token), second, tooLate);
				expect([expired.status, expired.json()]).toEqual([
					400,
					{ message: 'OTP expired', code: 'OTP_EXPIRED' }
				]);
				expect(await whoIs(fixture.server, bearer(late.token))).toBe(late.email);
			});

			test('A14 an empty, missing or mistyped value is 400 and uses no attempt', async () => {
				const person = await signIn(fixture.server);
				const to = newAddress('new');
				const code = await changeCode(fixture.server, person, to);
				for (const [newEmail, otp, expected] of [
					[to, undefined, 'VALIDATION_ERROR'],
					[undefined, code, 'VALIDATION_ERROR'],
					[to, Number(code), 'VALIDATION_ERROR'],
					[to, [code], 'VALIDATION_ERROR'],
					[to, null, 'VALIDATION_ERROR'],
					[to, { $ne: '' }, 'VALIDATION_ERROR'],
					[[to], code, 'VALIDATION_ERROR'],
					[to, '', 'INVALID_OTP'],
					[to, ' ', 'INVALID_OTP'],
					[to, `${code}0`, 'INVALID_OTP'],
					[to, code.slice(1), 'INVALID_OTP'],
					['', code, 'INVALID_EMAIL'],
					['nobody', code, 'INVALID_EMAIL']
				] as const) {
					const answer = await changeByCode(fixture.server, bearer(person.token), newEmail, otp);
					expect([...refusal(answer), newEmail, otp]).toEqual([400, expected, newEmail, otp]);
				}
				expect(await waitingFor(fixture.database, to)).toEqual([['email_change', 0]]);
				for (const hash of ['', 'x', '$argon2id$', code]) {
					await fixture.database.rows(
						`update verification set hash = '${hash}', attempts = 0 where email = '${to}'`
					);
					for (const otp of ['', '000000', code]) {
						expect(
							refusal(await changeByCode(fixture.server, bearer(person.token), to, otp))
						).toEqual(INVALID_OTP);
					}
				}
				expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
			});

			test('an unauthenticated call gets 401 and uses no attempt; so does a caller whose session ended (E07)', async () => {
				const person = await signIn(fixture.server);
				const to = newAddress('new');
				const code = await changeCode(fixture.server, person, to);
				const out = await signIn(fixture.server, person.email);
				await call(fixture.server, OUT, { json: {}, headers: own(jarOf(out)) });
				for (const headers of [{}, bearer('A'.repeat(43)), own(jarOf(out))]) {
					const answer = await changeByCode(fixture.server, headers, to, code);
					expect([answer.status, answer.json()]).toEqual([401, UNAUTHORIZED]);
					expect(refusal(await changeByCode(fixture.server, headers, to, 5))).toEqual([
						400,
						'VALIDATION_ERROR'
					]);
				}
				expect(await waitingFor(fixture.database, to)).toEqual([['email_change', 0]]);
				expect((await changeByCode(fixture.server, own(person.cookie), to, code)).status).toBe(200);
			});

			test('K06 a second request replaces the first: the earlier code is refused, the newer one works', async () => {
				const person = await signIn(fixture.server);
				const [first, second] = [newAddress('new'), newAddress('new')];
				const older = await changeCode(fixture.server, person, first);
				const newer = await changeCode(fixture.server, person, second);
				for (const [email, otp] of [
					[first, older],
					[first, newer]
				] as const) {
					expect(
						refusal(await changeByCode(fixture.server, bearer(person.token), email, otp))
					).toEqual(INVALID_OTP);
				}
				if (older !== newer) {
					expect(
						refusal(await changeByCode(fixture.server, bearer(person.token), second, older))
					).toEqual(INVALID_OTP);
				}
				expect(
					(await changeByCode(fixture.server, bearer(person.token), second, newer)).status
				).toBe(200);
			});

			test('K07 an address taken before the code is entered is EMAIL_ALREADY_IN_USE, and both accounts stay as they are', async () => {
				const person = await signIn(fixture.server);
				const to = newAddress('new');
				const code = await changeCode(fixture.server, person, to);
				const owner = await signIn(fixture.server, to);
				const answer = await changeByCode(fixture.server, bearer(person.token), to, code);
				expect([answer.status, answer.json()]).toEqual([
					400,
					{ message: 'Email already in use', code: 'EMAIL_ALREADY_IN_USE' }
				]);
				expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
				expect(await whoIs(fixture.server, bearer(owner.token))).toBe(to);
			});

			test('K14 two accounts can request the same address: each code is for its own account, and the first to confirm gets it', async () => {
				const [a, b] = [await signIn(fixture.server), await signIn(fixture.server)];
				const to = newAddress('new');
				const codeOfA = await changeCode(fixture.server, a, to);
				const codeOfB = await changeCode(fixture.server, b, to);
				if (codeOfA !== codeOfB) {
					expect(refusal(await changeByCode(fixture.server, bearer(a.token), to, codeOfB))).toEqual(
						INVALID_OTP
					);
				}
				expect((await changeByCode(fixture.server, bearer(b.token), to, codeOfB)).status).toBe(200);
				expect(refusal(await changeByCode(fixture.server, bearer(a.token), to, codeOfA))).toEqual([
					400,
					'EMAIL_ALREADY_IN_USE'
				]);
				expect(await whoIs(fixture.server, bearer(a.token))).toBe(a.email);
			});
		});

		describe('by either way', () => {
			/** Requests a change. The result confirms it with the given session. */
			const requestedChange = async (
				way: 'code' | 'link',
				person: SignedIn,
				to: string
			): Promise<(confirmer: SignedIn) => Promise<string>> => {
				if (way === 'code') {
					const code = await changeCode(fixture.server, person, to);
					return async ({ token }) => {
						const answer = await changeByCode(fixture.server, bearer(token), to, code);
						return answer.status === 200 ? CHANGED : refusal(answer).join(' ');
					};
				}
				const link = await changeLink(fixture.server, person, to);
				const form = await formKey(fixture.server);
				return async (confirmer) =>
					linkOutcome(await confirmLink(fixture.server, form, confirmer, link));
			};
			const dead = { code: '400 INVALID_OTP', link: 'refused' };
			const ways = ['code', 'link'] as const;

			test.each(ways)(
				'K08 by %s: signing out everywhere voids it, also for a session opened afterwards',
				async (way) => {
					for (const endpoint of ['revoke-sessions', 'revoke-other-sessions']) {
						const person = await signIn(fixture.server);
						const confirm = await requestedChange(way, person, newAddress('new'));
						await call(fixture.server, `${API}/${endpoint}`, {
							json: {},
							headers: bearer(person.token)
						});
						expect([endpoint, await confirm(await signIn(fixture.server, person.email))]).toEqual([
							endpoint,
							dead[way]
						]);
					}
				}
			);

			test.each(ways)(
				'K08 by %s: deletion voids it, also after the account was restored',
				async (way) => {
					const person = await signIn(fixture.server);
					const to = newAddress('new');
					const confirm = await requestedChange(way, person, to);
					await deleteAccount(person);
					expect(await confirm(person)).toBe(way === 'code' ? '401 UNAUTHORIZED' : SIGN_IN);
					const otp = await freshCode(fixture.server, person.email);
					const restored = await call(fixture.server, `${API}/sign-in/email-otp`, {
						json: { email: person.email, otp, restore: true }
					});
					expect(restored.status).toBe(200);
					const { token } = restored.json() as { token: string };
					const back = { ...person, token, cookie: `postern_session=${token}` };
					expect(await confirm(back)).toBe(dead[way]);
					expect(await accountAt(fixture.database, to)).toBeNull();
				}
			);

			test.each(ways)('K08 by %s: another completed change voids it', async (way) => {
				for (const other of ways) {
					const person = await signIn(fixture.server);
					const [first, second] = [newAddress('new'), newAddress('new')];
					const confirm = await requestedChange(way, person, first);
					if (way === other) {
						// Only one change of a kind is pending at a time, so the other was completed before
						// this request.
						const [late, third] = [await requestedChange(way, person, second), newAddress('new')];
						expect(await late(person)).toBe(CHANGED);
						expect(await (await requestedChange(way, person, third))(person)).toBe(CHANGED);
						expect([await late(person), await confirm(person)]).toEqual([dead[way], dead[way]]);
						continue;
					}
					expect(await (await requestedChange(other, person, second))(person)).toBe(CHANGED);
					expect(await confirm(person)).toBe(dead[way]);
					expect(await whoIs(fixture.server, bearer(person.token))).toBe(second);
					expect(await accountAt(fixture.database, first)).toBeNull();
				}
			});

			test.each(ways)(
				'K09 by %s: it is refused while the account in the store differs, and accepted once it is restored',
				async (way) => {
					const person = await signIn(fixture.server);
					const confirm = await requestedChange(way, person, newAddress('new'));
					const moved = newAddress('elsewhere');
					const set = (from: string, to: string) =>
						fixture.database.rows(`update "user" set email = '${to}' where email = '${from}'`);
					await set(person.email, moved);
					expect(await confirm(person)).toBe(dead[way]);
					expect(await whoIs(fixture.server, bearer(person.token))).toBe(moved);
					await set(moved, person.email);
					expect(await confirm(person)).toBe(CHANGED);
				}
			);

			test.each(ways)(
				'K13 by %s: before the confirmation, a sign-in with the new address opens a separate account',
				async (way) => {
					const person = await signIn(fixture.server);
					const to = newAddress('new');
					const confirm = await requestedChange(way, person, to);
					const account = present(await accountAt(fixture.database, person.email));
					const owner = await signIn(fixture.server, to);
					const them = present(await me(fixture.server, bearer(owner.token))).user;
					expect(them['id']).not.toBe(account['id']);
					expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
					expect(await confirm(person)).toBe(way === 'code' ? '400 EMAIL_ALREADY_IN_USE' : 'taken');
					expect(await whoIs(fixture.server, bearer(person.token))).toBe(person.email);
					expect(await whoIs(fixture.server, bearer(owner.token))).toBe(to);
				}
			);

			test.each(ways)(
				'K15 by %s: codes for the old address are void, and a new one leads to the undo',
				async (way) => {
					const person = await signIn(fixture.server);
					const confirm = await requestedChange(way, person, newAddress('new'));
					const loose = await freshCode(fixture.server, person.email);
					const bound = await sendCode(fixture.server, person.email, {
						'sec-fetch-site': 'same-origin',
						origin: fixture.server.address
					});
					const boundCode = await fixture.server.codeFor(person.email, 3);
					await call(fixture.server, `${API}/email-otp/send-verification-otp`, {
						json: { email: person.email, type: 'email-verification' }
					});
					const verification = await fixture.server.verificationCodeFor(person.email);
					expect(await confirm(person)).toBe(CHANGED);

					expect(await waitingFor(fixture.database, person.email)).toEqual([]);
					const cookie = bound.setCookies.map((line) => pairOf(line).join('=')).join('; ');
					const late = [
						await verifyCode(fixture.server, person.email, loose),
						await verifyCode(fixture.server, person.email, boundCode, own(cookie)),
						await call(fixture.server, VERIFY_EMAIL, {
							json: { email: person.email, otp: verification }
						})
					];
					expect(late.map(refusal)).toEqual([INVALID_OTP, INVALID_OTP, INVALID_OTP]);
					const fresh = await freshCode(fixture.server, person.email);
					const answer = await verifyCode(fixture.server, person.email, fresh);
					expect(refusal(answer)).toEqual([403, 'ADDRESS_RESERVED']);
					expect(await accountAt(fixture.database, person.email)).toBeNull();
				}
			);

			test.each(ways)(
				'E14 by %s: all other sessions end in both processes, and the confirming one continues under the new address immediately',
				async (way) => {
					const person = await signIn(fixture.server);
					const others = [
						await signIn(fixture.server, person.email),
						await signIn(fixture.other, person.email)
					];
					const to = newAddress('new');
					const browser = browserOf(fixture.server, person);
					const confirmed = await (way === 'code'
						? changeCode(fixture.server, person, to).then((otp) =>
								browser.api(CHANGE_BY_CODE, { json: { newEmail: to, otp } })
							)
						: changeLink(fixture.server, person, to).then(async (link) => {
								const page = await browser.open(
									present(
										(await browser.open(link.slice(fixture.server.address.length))).headers.location
									)
								);
								return browser.submit(page, '?/confirm');
							}));
					expect(confirmed.status).toBe(way === 'code' ? 200 : 303);

					for (const one of others) {
						for (const server of [fixture.server, fixture.other]) {
							expect(await whoIs(server, bearer(one.token))).toBeNull();
							expect(await whoIs(server, { cookie: one.cookie })).toBeNull();
							const headers = { cookie: jarOf(one), origin: server.address };
							const strict = [
								await call(server, `${API}/list-sessions`, { headers }),
								await call(server, '/api/hello', { headers: bearer(one.token) }),
								await askByCode(server, headers, newAddress('new')),
								await askByLink(server, headers, newAddress('new')),
								await changeByCode(server, headers, to, '123456')
							];
							expect(strict.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
							expect((await call(server, '/settings', { headers })).status).toBe(303);
						}
						// Nor does the process that handled the change accept their caches.
						expect(await whoIs(fixture.server, { cookie: jarOf(one) })).toBeNull();
					}
					// Nor does its own cache, once caches are trusted again.
					const mine = await browser.api(ME, {});
					expect((mine.json() as { user: { email: string } }).user.email).toBe(to);
				}
			);
		});

		test('B05 five sends of any kind to an address, free or taken, leave none of any kind', async () => {
			const taken = (await signIn(fixture.server, newAddress('taken'))).email;
			await fixture.database.rows(`delete from auth_throttle where email = '${taken}'`);
			for (const email of [newAddress('freed'), taken]) {
				const headers = bearer((await signIn(fixture.server)).token);
				const kinds: readonly (() => Promise<Answer>)[] = [
					() => sendCode(fixture.server, email),
					() => askByCode(fixture.server, headers, email),
					() => askByLink(fixture.server, headers, email),
					() =>
						call(fixture.server, `${API}/email-otp/send-verification-otp`, {
							json: { email: email.toUpperCase(), type: 'email-verification' }
						})
				];
				for (let send = 0; send < 5; send += 1) {
					expect((await present(kinds[(send * 3) % 4])()).status).toBe(200);
				}
				for (const kind of kinds) {
					const refused = await kind();
					expect([refused.status, refused.json()]).toEqual([429, TOO_MANY]);
					expect(refused.headers['retry-after']).toMatch(/^[1-9]\d{0,2}$/);
					expect(refused.headers['x-retry-after']).toBe(refused.headers['retry-after']);
				}
				await fixture.server.shiftClock(901);
				expect((await present(kinds[0])()).status).toBe(200);
				await fixture.server.shiftClock(0);
			}
		});
	},
	{ processes: 2 }
);

onOneServer((fixture) => {
	const once = async (
		paths: readonly string[],
		body: (path: string) => object,
		headers: OutgoingHttpHeaders
	): Promise<readonly number[]> =>
		(
			await Promise.all(
				paths.map((path) => call(fixture.server, path, { json: body(path), headers }))
			)
		).map(({ status }) => status);

	test('A16 requests for changes over API and form share the 20 sends a minute of a client', async () => {
		const person = await signIn(fixture.server);
		const client = { 'x-forwarded-for': '198.51.100.1' };
		const headers = { ...client, ...bearer(person.token) };
		const browser = browserOf(fixture.server, person);
		const page = await browser.open('/settings');
		const body = (): object => ({ newEmail: newAddress('new'), email: newAddress('new') });
		const paths = [ASK_BY_CODE, ASK_BY_LINK, `${API}/email-otp/send-verification-otp`];
		expect(
			tally(
				await once(
					times(20, (i) => present(paths[i % 3])),
					body,
					headers
				)
			)
		).toEqual({ 200: 20 });
		expect(await once(paths, body, headers)).toEqual([429, 429, 429]);
		const form = await call(fixture.server, '/settings?/request', {
			method: 'POST',
			body: new URLSearchParams({
				csrf: present(/name="csrf"[^>]*value="([^"]+)"/.exec(page.text)?.[1]),
				email: newAddress('new')
			}).toString(),
			headers: {
				...{ ...client, cookie: browser.cookies(), origin: fixture.server.address },
				...{ accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
			}
		});
		expect(form.status).toBe(429);
	});

	test('A16 checks of all kinds of codes share the 30 a minute of a client, and the 31st uses no attempt', async () => {
		const person = await signIn(fixture.server);
		const headers = { 'x-forwarded-for': '198.51.100.2', ...bearer(person.token) };
		const to = newAddress('new');
		const code = await changeCode(fixture.server, person, to);
		const body = (): object => {
			const email = newAddress('other');
			return { email, newEmail: email, type: 'sign-in', otp: '123456' };
		};
		const paths = [CHANGE_BY_CODE, CHECK, VERIFY_EMAIL, `${API}/sign-in/email-otp`];
		expect(
			tally(
				await once(
					times(30, (i) => present(paths[i % 4])),
					body,
					headers
				)
			)
		).toEqual({ 400: 30 });
		expect(await once(paths, body, headers)).toEqual([429, 429, 429, 429]);
		const refused = await changeByCode(fixture.server, headers, to, code);
		expect([refused.status, refused.json()]).toEqual([429, TOO_MANY]);
		expect(await waitingFor(fixture.database, to)).toEqual([['email_change', 0]]);
		expect((await changeByCode(fixture.server, bearer(person.token), to, code)).status).toBe(200);
	});
});

/** Rows that were added, removed or changed. */
const newsOf = (
	after: readonly object[] = [],
	before: readonly object[] = []
): { readonly added: readonly string[]; readonly removed: readonly string[] } => {
	const [now, then] = [after, before].map((rows) => rows.map((row) => JSON.stringify(row)));
	return {
		added: present(now).filter((row) => !present(then).includes(row)),
		removed: present(then).filter((row) => !present(now).includes(row))
	};
};

onBothDatabases(
	(fixture) => {
		test('B05 twenty concurrent requests of each way to one address over two processes: five are sent', async () => {
			const email = newAddress('new');
			const people = [await signIn(fixture.server), await signIn(fixture.server)];
			const answers = await Promise.all(
				times(40, (i) => {
					const headers = bearer(present(people[i % 2]).token);
					const server = i % 4 < 2 ? fixture.server : fixture.other;
					return (i % 3 === 0 ? askByLink : askByCode)(server, headers, email);
				})
			);
			expect(tally(answers.map(({ status }) => status))).toEqual({ 200: 5, 429: 35 });
			for (const server of [fixture.server, fixture.other]) await settled(server);
			// A request that another one overtook stores no email: its code would not work.
			const sent = ['email-change code', 'email-change link'] as const;
			const count = sent.map((kind) => fixture.server.mailsSentTo(kind, email));
			const all = count.reduce((sum, one) => sum + one, 0);
			expect(all).toBeLessThanOrEqual(5);
			expect(all).toBeGreaterThanOrEqual(1);
		});
	},
	{ processes: 2 }
);
