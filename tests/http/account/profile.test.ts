import { afterEach, expect, test } from 'vitest';
import {
	fromPage,
	rowsOf,
	statusAndBody,
	UNAUTHORIZED,
	UPDATE,
	userOf
} from '../../support/http/account.ts';
import { openBrowser } from '../../support/http/browser.ts';
import {
	API,
	bearer,
	call,
	freshCode,
	me,
	ME,
	newAddress,
	pairOf,
	signIn,
	times,
	VERIFY,
	STORED_ME
} from '../../support/http/client.ts';
import { onBothDatabases, present } from '../../support/http/fixtures.ts';
import { CACHE, SESSION, jarOf } from '../../support/http/cookie-jar.ts';

const DONE = { status: true };
const NOTHING = { message: 'No fields to update', code: 'NO_FIELDS_TO_UPDATE' };
const NOT_HERE = { message: 'Email can not be updated', code: 'EMAIL_CAN_NOT_BE_UPDATED' };

onBothDatabases(
	(fixture) => {
		const update = (headers: object, json: unknown, server = fixture.server) =>
			call(server, UPDATE, { json, headers: headers as never });
		const userBy = async (headers: object, server = fixture.server) =>
			present(await me(server, headers as never, STORED_ME)).user;

		afterEach(async () => {
			await fixture.server.shiftClock(0);
		});

		test('update-user sets name and image, each alone or both, and a null image clears it', async () => {
			const { token } = await signIn(fixture.server);
			const headers = bearer(token);
			const before = await userBy(headers);
			const image = 'https://example.com/a.png';
			for (const [change, after] of [
				[{ name: 'Ada' }, { name: 'Ada', image: null }],
				[{ image }, { name: 'Ada', image }],
				[
					{ name: 'Ada Lovelace', extra: 1 },
					{ name: 'Ada Lovelace', image }
				],
				[{ image: null }, { name: 'Ada Lovelace', image: null }],
				[
					{ name: '', image: 'x' },
					{ name: '', image: 'x' }
				],
				[{ name: 'Zoë 李 👩‍🚀 \'";--<b>' }, { name: 'Zoë 李 👩‍🚀 \'";--<b>', image: 'x' }]
			] as const) {
				const answer = await update(headers, change);
				expect([statusAndBody(answer), change]).toEqual([[200, DONE], change]);
				const user = await userBy(headers, fixture.other);
				expect(user).toEqual({ ...before, ...after, updatedAt: expect.any(String) });
			}
		});

		test('update-user moves updatedAt and leaves createdAt', async () => {
			const { token } = await signIn(fixture.server);
			const before = await userBy(bearer(token));
			await fixture.server.shiftClock(100);
			await update(bearer(token), { name: 'Later' });
			const after = await userBy(bearer(token));
			expect(after['createdAt']).toBe(before['createdAt']);
			const moved =
				Date.parse(String(after['updatedAt'])) - Date.parse(String(before['updatedAt']));
			expect(moved).toBeGreaterThanOrEqual(100_000);
		});

		test('update-user with nothing to update, or with an email address, is 400 and changes nothing', async () => {
			const { token, email } = await signIn(fixture.server);
			const before = await userOf(fixture, email);
			for (const body of [{}, { nickname: 'x' }, { id: 'x', createdAt: 0 }]) {
				expect([statusAndBody(await update(bearer(token), body)), body]).toEqual([
					[400, NOTHING],
					body
				]);
			}
			for (const body of [
				{ email: newAddress() },
				{ email, name: 'Ada' },
				{ email: null, name: 'Ada' },
				{ email: ['a'] },
				{ email: '' }
			]) {
				expect([statusAndBody(await update(bearer(token), body)), body]).toEqual([
					[400, NOT_HERE],
					body
				]);
			}
			expect(await userOf(fixture, email)).toEqual(before);
		});

		test('update-user with wrong types, overlong texts or values that a store cannot hold is a VALIDATION_ERROR that names the field', async () => {
			const { token, email } = await signIn(fixture.server);
			const before = await userOf(fixture, email);
			for (const [field, value] of [
				...[null, 5, true, [], {}, ['Ada'], 'x'.repeat(201), 'a\0b', '\ud800'].map(
					(value) => ['name', value] as const
				),
				...[5, false, [], {}, 'x'.repeat(2049), 'a\0b', '\udfff'].map(
					(value) => ['image', value] as const
				)
			]) {
				const answer = await update(bearer(token), { name: 'Ada', [field]: value });
				expect([statusAndBody(answer), value]).toEqual([
					[
						400,
						{
							message: expect.stringMatching(new RegExp(`^\\[body\\.${field}\\] `)),
							code: 'VALIDATION_ERROR'
						}
					],
					value
				]);
			}
			for (const body of [null, [], 'name', 5, true]) {
				const answer = await update(bearer(token), body);
				expect([answer.status, body]).toEqual([400, body]);
			}
			expect(await userOf(fixture, email)).toEqual(before);
			const longest = { name: '€'.repeat(200), image: 'y'.repeat(2048) };
			expect(statusAndBody(await update(bearer(token), longest))).toEqual([200, DONE]);
			expect(await userBy(bearer(token))).toMatchObject(longest);
		});

		test('O04 E23 update-user changes only the name and image, and only those of the caller', async () => {
			const [actor, target] = [await signIn(fixture.server), await signIn(fixture.server)];
			const them = await userOf(fixture, target.email);
			const before = await userOf(fixture, actor.email);
			const sessions = await rowsOf(fixture, 'session', actor.email);
			const body = {
				...{ name: 'Ada', id: them['id'], userId: them['id'], role: 'admin', isAdmin: true },
				...{ emailVerified: false, email_verified: false, createdAt: 0, created_at: 0 },
				...{ expiresAt: '2999-01-01T00:00:00.000Z', deletedAt: null, deleted_at: 0, updatedAt: 0 },
				...{ marketingOptIn: true, isTrialEligible: false, token: target.token, session: {} },
				...{ user: { id: them['id'], name: 'Eve' }, __proto__: { image: 'x' }, constructor: 1 }
			};
			const query = new URLSearchParams({ userId: String(them['id']), name: 'Query' });
			const headers = { ...bearer(actor.token), 'x-user-id': String(them['id']) };
			const answer = await call(fixture.server, `${UPDATE}?${query}`, { json: body, headers });
			expect(statusAndBody(answer)).toEqual([200, DONE]);
			const after = await userOf(fixture, actor.email);
			expect(after).toEqual({ ...before, name: 'Ada', updated_at: after['updated_at'] });
			expect(Date.now() - new Date(after['updated_at'] as string).getTime()).toBeLessThan(60_000);
			expect(await userOf(fixture, target.email)).toEqual(them);
			expect(await rowsOf(fixture, 'session', actor.email)).toEqual(sessions);
			const [data] = await rowsOf(fixture, 'user_data', actor.email);
			expect([data?.['marketing_opt_in'], data?.['is_trial_eligible']].map(Boolean)).toEqual([
				false,
				true
			]);
			// Nor does prototype pollution carry over to the next request.
			const next = await signIn(fixture.server);
			expect((await userBy(bearer(next.token)))['image']).toBeNull();
		});

		test('O04 a new account takes only name and image from the request', async () => {
			const email = newAddress();
			const otp = await freshCode(fixture.server, email);
			const image = 'https://example.com/a.png';
			const extra = {
				...{ id: crypto.randomUUID(), role: 'admin', emailVerified: false, createdAt: 0 },
				...{ userId: crypto.randomUUID(), isAdmin: true, expiresAt: '2999-01-01T00:00:00.000Z' }
			};
			const answer = await call(fixture.server, VERIFY, {
				json: { ...extra, email, otp, name: 'Ada', image }
			});
			const { user } = answer.json() as { user: Record<string, unknown> };
			expect(user).toMatchObject({ email, name: 'Ada', image, emailVerified: true });
			expect([extra.id, extra.userId]).not.toContain(user['id']);
			expect(Object.keys(user)).not.toContain('role');
			const [session] = await rowsOf(fixture, 'session', email);
			expect(new Date(session?.['expires_at'] as string).getFullYear()).toBeLessThan(2999);
		});

		test('a change shows immediately to the browser with its cache, to bearers, and on pages', async () => {
			const person = await signIn(fixture.server);
			const phone = await signIn(fixture.server, person.email);
			const browser = openBrowser(fixture.server);
			for (const line of person.answer.setCookies) browser.plant(...pairOf(line));
			expect((await browser.api(ME, {})).text).toContain('"name":""');
			for (const name of ['Grace', 'Hopper', '']) {
				const answer = await browser.api(UPDATE, { json: { name } });
				expect(statusAndBody(answer)).toEqual([200, DONE]);
				expect(answer.headers['cache-control']).toContain('no-store');
				// Only the cache cookie is renewed, never the session token.
				expect(answer.setCookies.map((line) => pairOf(line)[0])).toEqual([CACHE]);
				const seen = await browser.api(ME, {});
				expect(seen.text).toContain(`"name":"${name}"`);
				// A cache of that very moment may be from before or after, so one more query of the store
				// is allowed.
				expect(seen.setCookies.every((line) => pairOf(line)[0] === CACHE)).toBe(true);
				expect((await userBy(bearer(phone.token)))['name']).toBe(name);
				expect((await userBy(bearer(phone.token), fixture.other))['name']).toBe(name);
				if (name !== '') expect((await browser.open('/app')).text).toContain(name);
			}
			// A bearer call sends no cookie.
			expect((await update(bearer(phone.token), { name: 'x' })).setCookies).toEqual([]);
		});

		test('a profile that no longer fits the cache cookie removes the stale cookie', async () => {
			const person = await signIn(fixture.server);
			const name = '€'.repeat(200);
			const change = { name, image: 'y'.repeat(2048) };
			const answer = await update(fromPage(fixture.server, jarOf(person)), change);
			expect(statusAndBody(answer)).toEqual([200, DONE]);
			const [line] = answer.setCookies;
			expect(line).toMatch(new RegExp(`^${CACHE}=`));
			const jar = /max-age=0/i.test(present(line))
				? person.cookie
				: `${person.cookie}; ${pairOf(present(line)).join('=')}`;
			expect(await userBy({ cookie: jar })).toMatchObject(change);
		});

		test('of two concurrent changes over two processes, both succeed and one of them is stored', async () => {
			const { token } = await signIn(fixture.server);
			const answers = await Promise.all(
				times(20, (i) =>
					update(bearer(token), { name: `name ${i}` }, i % 2 ? fixture.server : fixture.other)
				)
			);
			expect(answers.map(statusAndBody)).toEqual(times(20, () => [200, DONE]));
			expect((await userBy(bearer(token)))['name']).toMatch(/^name \d+$/);
		});

		test('unauthenticated calls get 401, and GET changes nothing', async () => {
			const { cookie, token, email } = await signIn(fixture.server);
			await call(fixture.server, `${API}/sign-out`, { json: {}, headers: bearer(token) });
			for (const headers of [{}, bearer(token), fromPage(fixture.server, cookie)]) {
				expect(statusAndBody(await update(headers, { name: 'x' }))).toEqual([401, UNAUTHORIZED]);
			}
			const other = await signIn(fixture.server, email);
			const read = await call(fixture.server, `${UPDATE}?name=x`, {
				headers: { cookie: `${SESSION}=${other.token}` }
			});
			expect([read.status, read.headers.allow]).toEqual([405, 'POST']);
			expect((await userOf(fixture, email))['name']).toBe('');
		});
	},
	{ processes: 2 }
);
