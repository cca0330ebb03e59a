import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import {
	CONSENT,
	DELETE,
	expiredIn,
	fromPage,
	LIST,
	REVOKE,
	REVOKE_ALL,
	REVOKE_OTHERS,
	rowsOf,
	appearance,
	statusAndBody,
	UNAUTHORIZED,
	UPDATE,
	userOf
} from '../../support/http/account.ts';
import {
	API,
	bearer,
	call,
	freshCode,
	inBatches,
	me,
	ME,
	newAddress,
	OUT,
	rounds,
	signIn,
	tally,
	times,
	verifyCode,
	whoIs,
	whoIsStored,
	type Answer,
	type SignedIn
} from '../../support/http/client.ts';
import { runScript } from '../../support/http/script.ts';
import {
	onBothDatabases,
	onBothInLongForm,
	present,
	type Fixture
} from '../../support/http/fixtures.ts';
import { CACHE, SESSION, jarOf } from '../../support/http/cookie-jar.ts';

const DAY = 86_400;
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const DONE = { status: true };

type Listed = Readonly<Record<string, string>>;

/** Every endpoint that needs a session and is too sensitive for a cached one. */
const STRICT: readonly (readonly [path: string, body: object | null])[] = [
	[LIST, null],
	[REVOKE, { token: randomUUID() }],
	[REVOKE_OTHERS, {}],
	[REVOKE_ALL, {}],
	[UPDATE, { name: 'Mallory' }],
	[DELETE, {}],
	[CONSENT, {}],
	[`${API}/email-otp/request-email-change`, { newEmail: 'mallory@example.com' }],
	[`${API}/email-otp/change-email`, { newEmail: 'mallory@example.com', otp: '123456' }],
	[`${API}/change-email`, { newEmail: 'mallory@example.com' }]
];

const helpersOf = (fixture: Fixture) => {
	const both = (index: number) => (index % 2 === 0 ? fixture.server : fixture.other);
	const post = (path: string, headers: object, json: unknown = {}, server = fixture.server) =>
		call(server, path, { json, headers: headers as never });
	const shiftBoth = async (seconds: number): Promise<void> => {
		await fixture.server.shiftClock(seconds);
		await fixture.other.shiftClock(seconds);
	};
	return { both, post, shiftBoth };
};

onBothInLongForm(
	(fixture) => {
		const { both, post, shiftBoth } = helpersOf(fixture);
		const list = async (headers: object, server = fixture.server): Promise<readonly Listed[]> => {
			const answer = await call(server, LIST, { headers: headers as never });
			expect(answer.status).toBe(200);
			return answer.json() as readonly Listed[];
		};
		const handleOf = async ({ token }: SignedIn): Promise<string> =>
			String(present(await me(fixture.server, bearer(token))).session['token']);
		/** What the strict endpoints answer to these headers, in one process. */
		const askStrictly = (headers: object, server = fixture.server): Promise<readonly Answer[]> =>
			Promise.all(
				STRICT.map(([path, json]) =>
					call(server, path, { headers: headers as never, ...(json === null ? {} : { json }) })
				)
			);

		afterEach(() => shiftBoth(0));

		test('E20 the list shows id, handle, times and device of each session, by cookie and bearer, and no token', async () => {
			const email = newAddress();
			const phone = await signIn(fixture.server, email, { 'user-agent': 'phone/1' });
			const laptop = await signIn(fixture.server, email, {
				'user-agent': 'laptop/2',
				'x-forwarded-for': '192.0.2.7'
			});
			const { id } = await userOf(fixture, email);
			const byBearer = await call(fixture.server, LIST, { headers: bearer(phone.token) });
			const byCookie = await call(fixture.server, LIST, { headers: { cookie: jarOf(laptop) } });
			expect(byBearer.json()).toEqual(byCookie.json());
			for (const answer of [byBearer, byCookie]) {
				expect(answer.headers['cache-control']).toContain('no-store');
				for (const { token } of [phone, laptop]) expect(answer.text).not.toContain(token);
			}
			const aSession = (userAgent: string) => ({
				id: expect.stringMatching(UUID),
				token: expect.stringMatching(UUID),
				userId: id,
				expiresAt: expect.stringMatching(ISO),
				createdAt: expect.stringMatching(ISO),
				updatedAt: expect.stringMatching(ISO),
				ipAddress: expect.any(String),
				userAgent
			});
			expect(byBearer.json()).toEqual([aSession('laptop/2'), aSession('phone/1')]);
			const [first] = byBearer.json() as Listed[];
			expect(first?.['ipAddress']).toBe('192.0.2.7');
			expect(first?.['token']).toBe(await handleOf(laptop));
			const hashes = (await rowsOf(fixture, 'session', email)).map((row) =>
				String(row['token_hash'])
			);
			expect(hashes.filter((hash) => byBearer.text.includes(hash))).toEqual([]);
		});

		test('the list begins with the last refreshed session', async () => {
			const email = newAddress();
			const [a, b, c] = [
				await signIn(fixture.server, email),
				await signIn(fixture.server, email),
				await signIn(fixture.other, email)
			];
			const handles = [await handleOf(a), await handleOf(b), await handleOf(c)];
			const order = async (): Promise<readonly (string | undefined)[]> =>
				(await list(bearer(c.token))).map(({ token }) => token);
			expect(await order()).toEqual(handles.toReversed());
			await fixture.server.shiftClock(DAY + 1);
			// Reading the list refreshes the caller’s session, so it comes first from here on.
			await whoIs(fixture.server, bearer(a.token));
			await fixture.server.shiftClock(DAY + 2);
			expect(await order()).toEqual([handles[2], handles[0], handles[1]]);
		});

		test('E23 the list contains only the caller’s own live sessions, whatever query and headers name', async () => {
			const email = newAddress();
			const [mine, ended, idle] = [
				await signIn(fixture.server, email),
				await signIn(fixture.server, email),
				await signIn(fixture.server, email)
			];
			const stranger = await signIn(fixture.server);
			const theirs = present(await me(fixture.server, bearer(stranger.token)));
			await post(OUT, bearer(ended.token));
			const idleHandle = await handleOf(idle);
			await fixture.database.rows(
				`update session set expires_at = created_at where id = '${idleHandle}'`
			);
			const query = new URLSearchParams({
				...{ userId: String(theirs.user['id']), id: String(theirs.user['id']) },
				...{ email: stranger.email, token: stranger.token, disableCookieCache: 'false' }
			});
			const headers = { ...bearer(mine.token), 'x-user-id': String(theirs.user['id']) };
			const answer = await call(fixture.server, `${LIST}?${query}`, { headers });
			expect((answer.json() as Listed[]).map(({ token }) => token)).toEqual([await handleOf(mine)]);
		});

		test('E20 a user ends one of their own sessions by its handle: cookie, cache and bearer fail, the other sessions stay', async () => {
			const email = newAddress();
			const [here, there] = [
				await signIn(fixture.server, email),
				await signIn(fixture.server, email)
			];
			expect(await whoIs(fixture.server, { cookie: jarOf(there) })).toBe(email);
			const answer = await post(REVOKE, bearer(here.token), { token: await handleOf(there) });
			expect([statusAndBody(answer), answer.setCookies]).toEqual([[200, DONE], []]);
			expect(await whoIs(fixture.server, { cookie: jarOf(there) })).toBeNull();
			for (const server of [fixture.server, fixture.other]) {
				expect(await whoIs(server, bearer(there.token))).toBeNull();
				expect(await whoIs(server, bearer(here.token))).toBe(email);
			}
			// The second time, the handle is unknown.
			const again = await post(REVOKE, bearer(here.token), { token: '' });
			expect(statusAndBody(again)).toEqual([200, DONE]);
		});

		test('E20 1,000 handles of another account have no effect, and get the answer of an unknown one (GHSA-4vcf-q4xf-f48m)', async () => {
			const victim = await signIn(fixture.server);
			const attacker = await signIn(fixture.server);
			const { id } = await userOf(fixture, victim.email);
			const handles = times(1000, () => randomUUID());
			for (let from = 0; from < handles.length; from += 250) {
				const values = handles.slice(from, from + 250).map(
					(handle) =>
						`('${handle}', 'hash-${handle}', '${String(id)}', (select max(expires_at) from session),
							(select max(created_at) from session), (select max(updated_at) from session), '', '')`
				);
				await fixture.database.rows(
					`insert into session (id, token_hash, user_id, expires_at, created_at, updated_at, ip_address, user_agent)
					values ${values.join()}`
				);
			}
			const before = await rowsOf(fixture, 'session', victim.email);
			expect(before).toHaveLength(1001);
			const tried = [await handleOf(victim), ...handles];
			const answers = await inBatches(tried, 50, (token, i) =>
				post(REVOKE, bearer(attacker.token), { token }, both(i))
			);
			const unknown = await post(REVOKE, bearer(attacker.token), { token: randomUUID() });
			expect(statusAndBody(unknown)).toEqual([200, DONE]);
			expect(tally(answers.map((answer) => JSON.stringify(appearance(answer))))).toEqual({
				[JSON.stringify(appearance(unknown))]: 1001
			});
			const still = (await rowsOf(fixture, 'session', victim.email)).map((row) => row['id']);
			expect(still.sort()).toEqual(before.map((row) => row['id']).sort());
			expect(await whoIs(fixture.server, bearer(victim.token))).toBe(victim.email);
			await fixture.database.rows(`delete from session where token_hash like 'hash-%'`);
		});

		test('a malformed handle ends nothing; a missing one, or one that is not text, is 400', async () => {
			const { token, email } = await signIn(fixture.server);
			for (const handle of ['', 'x', token, `' or 1=1 --`, '\0', '%', 'A'.repeat(5000), '*']) {
				const answer = await post(REVOKE, bearer(token), { token: handle });
				expect([statusAndBody(answer), handle]).toEqual([[200, DONE], handle]);
			}
			for (const body of [{}, { token: null }, { token: 5 }, { token: [] }, { token: {} }]) {
				const answer = await post(REVOKE, bearer(token), body);
				expect([answer.status, answer.text]).toEqual([
					400,
					expect.stringContaining('VALIDATION_ERROR')
				]);
			}
			expect(await whoIs(fixture.server, bearer(token))).toBe(email);
		});

		test('ending the caller’s own session expires its cookies', async () => {
			for (const way of ['cookie', 'bearer'] as const) {
				const person = await signIn(fixture.server);
				const headers =
					way === 'cookie' ? fromPage(fixture.server, jarOf(person)) : bearer(person.token);
				const answer = await post(REVOKE, headers, { token: await handleOf(person) });
				expect([statusAndBody(answer), expiredIn(answer)]).toEqual([
					[200, DONE],
					[CACHE, SESSION]
				]);
				expect(answer.headers['cache-control']).toContain('no-store');
				expect(await whoIs(fixture.server, { cookie: jarOf(person) })).toBeNull();
			}
		});

		test('revoke-other-sessions ends all but the caller’s session, and voids codes and pending changes', async () => {
			const email = newAddress();
			const [mine, ...others] = [
				await signIn(fixture.server, email),
				await signIn(fixture.other, email),
				await signIn(fixture.server, email)
			];
			const code = await freshCode(fixture.server, email);
			const target = newAddress('target');
			const change = { newEmail: target };
			await post(`${API}/email-otp/request-email-change`, bearer(mine.token), change);
			const otp = await fixture.server.changeCodeFor(target);

			const answer = await post(REVOKE_OTHERS, fromPage(fixture.server, jarOf(mine)));
			expect([statusAndBody(answer), expiredIn(answer)]).toEqual([[200, DONE], []]);
			for (const other of others) {
				expect(await whoIs(fixture.server, { cookie: jarOf(other) })).toBeNull();
				expect(await whoIsStored(fixture.other, bearer(other.token))).toBeNull();
			}
			expect(await whoIs(fixture.server, { cookie: jarOf(mine) })).toBe(email);
			expect(await rowsOf(fixture, 'session', email)).toHaveLength(1);
			expect((await verifyCode(fixture.other, email, code)).status).toBe(400);
			const moved = await post(`${API}/email-otp/change-email`, bearer(mine.token), {
				...change,
				otp
			});
			expect(statusAndBody(moved)).toEqual([400, { message: 'Invalid OTP', code: 'INVALID_OTP' }]);
		});

		test('E12 revoke-sessions ends all sessions, the caller’s included, with codes and pending changes', async () => {
			const email = newAddress();
			const requester = await signIn(fixture.server, email);
			const devices = [
				requester,
				await signIn(fixture.other, email),
				await signIn(fixture.server, email)
			];
			const code = await freshCode(fixture.other, email);
			const target = newAddress('target');
			await post(`${API}/email-otp/request-email-change`, bearer(requester.token), {
				newEmail: target
			});
			await fixture.server.changeCodeFor(target);
			const answer = await post(REVOKE_ALL, fromPage(fixture.server, jarOf(requester)));
			expect([statusAndBody(answer), expiredIn(answer)]).toEqual([
				[200, DONE],
				[CACHE, SESSION]
			]);
			for (const device of devices) {
				expect(await whoIs(fixture.server, { cookie: jarOf(device) })).toBeNull();
				expect(await whoIsStored(fixture.other, bearer(device.token))).toBeNull();
			}
			const { id } = await userOf(fixture, email);
			expect(
				await fixture.database.rows(
					`select * from verification where email in ('${email}', '${target}') or binding = '${String(id)}'`
				)
			).toEqual([]);
			expect((await verifyCode(fixture.server, email, code)).status).toBe(400);
		});

		test('E07 all cookies of a signed-out session get 401 from sensitive endpoints immediately, in both processes', async () => {
			for (const out of [OUT, REVOKE_ALL]) {
				const person = await signIn(fixture.server);
				const headers = fromPage(fixture.server, jarOf(person));
				expect(await whoIs(fixture.other, { cookie: jarOf(person) })).toBe(person.email);
				expect((await post(out, headers)).status).toBe(200);
				for (const server of [fixture.server, fixture.other]) {
					const answers = await askStrictly(fromPage(server, jarOf(person)), server);
					expect(answers.map(statusAndBody)).toEqual(STRICT.map(() => [401, UNAUTHORIZED]));
					expect(answers.flatMap(expiredIn)).toEqual([]);
				}
				const user = await userOf(fixture, person.email);
				expect([user['name'], user['deleted_at']]).toEqual(['', null]);
			}
		});

		test('an unauthenticated call gets 401 from every account endpoint, whatever its body', async () => {
			for (const server of [fixture.server, fixture.other]) {
				for (const headers of [{}, bearer('A'.repeat(43)), { cookie: `${SESSION}=x` }]) {
					const answers = await askStrictly({ ...headers, origin: server.address }, server);
					expect(answers.map(statusAndBody)).toEqual(STRICT.map(() => [401, UNAUTHORIZED]));
				}
			}
		});

		test('E23 O04 no id in body, query or headers selects another account’s sessions to end', async () => {
			const [actor, target] = [await signIn(fixture.server), await signIn(fixture.server)];
			const them = present(await me(fixture.server, bearer(target.token)));
			const ids = {
				...{ userId: them.user['id'], id: them.user['id'], sessionId: them.session['id'] },
				...{ email: target.email, keep: them.session['id'], user: { id: them.user['id'] } }
			};
			const query = new URLSearchParams({ userId: String(ids.userId), id: String(ids.id) });
			const headers = {
				...bearer(actor.token),
				...{ 'x-user-id': String(ids.userId), 'x-session-id': String(ids.sessionId) }
			};
			expect(statusAndBody(await post(`${REVOKE_OTHERS}?${query}`, headers, ids))).toEqual([
				200,
				DONE
			]);
			expect(await whoIs(fixture.server, bearer(actor.token))).toBe(actor.email);
			expect(statusAndBody(await post(`${REVOKE_ALL}?${query}`, headers, ids))).toEqual([
				200,
				DONE
			]);
			expect(await whoIs(fixture.server, bearer(actor.token))).toBeNull();
			expect(await whoIs(fixture.server, bearer(target.token))).toBe(target.email);
		});

		test('E11 the daily task removes sessions that are idle for 60 days and a second, and no others', async () => {
			const used = await signIn(fixture.server);
			await fixture.server.shiftClock(DAY + 5);
			expect(await whoIs(fixture.server, bearer(used.token))).toBe(used.email);
			await fixture.server.shiftClock(0);
			const person = await signIn(fixture.server);
			const ahead = 60 * DAY + 1;
			const run = await runScript(fixture.server, 'task', ['auth:prune-throttle'], { ahead });
			expect([run.code, run.stderr]).toEqual([0, '']);
			expect(run.stdout).toMatch(
				/^\[postern\] auth:prune-throttle removed .*[1-9]\d* sessions, \d+ devices, \d+ counts, \d+ proofs, \d+ email undos, \d+ failed emails$/m
			);
			expect(await rowsOf(fixture, 'session', person.email)).toEqual([]);
			// A session that was used lives 60 days from that use.
			expect(await rowsOf(fixture, 'session', used.email)).toHaveLength(1);
			expect(await whoIs(fixture.server, bearer(used.token))).toBe(used.email);
		});

		test('E11 after 60 idle days and a second a session gets 401 from sensitive endpoints, in both processes', async () => {
			const person = await signIn(fixture.server);
			await shiftBoth(60 * DAY + 1);
			for (const server of [fixture.server, fixture.other]) {
				for (const headers of [bearer(person.token), fromPage(server, jarOf(person))]) {
					const answers = await askStrictly(headers, server);
					expect(answers.map(statusAndBody)).toEqual(STRICT.map(() => [401, UNAUTHORIZED]));
					expect(await whoIs(server, headers)).toBeNull();
				}
			}
		});
	},
	{ processes: 2 }
);

onBothDatabases(
	(fixture) => {
		const { both, post, shiftBoth } = helpersOf(fixture);

		afterEach(() => shiftBoth(0));

		test('E12 with 100 requests of 10 devices in flight over two processes, no new strict request succeeds after the answer', async () => {
			for (let round = 0; round < rounds(2, 30); round += 1) {
				await shiftBoth(0);
				const email = newAddress();
				// One address gets no more than five codes in a window, so the test clears the counts in
				// between.
				const devices: SignedIn[] = [];
				for (let device = 0; device < 10; device += 1) {
					if (device % 5 === 0) {
						await fixture.database.rows(`delete from auth_throttle where email = '${email}'`);
					}
					devices.push(await signIn(both(device), email));
				}
				await fixture.database.rows(`delete from auth_throttle where email = '${email}'`);
				const code = await freshCode(fixture.server, email);
				// A day later each use would extend its session, which must not revive one.
				const due = round % 2 === 1;
				if (due) await shiftBoth(DAY + 1);

				const cookieOf = (device: SignedIn, server = fixture.server): object =>
					fromPage(server, due ? device.cookie : jarOf(device));
				const inFlight = times(100, (i) => {
					const device = present(devices[i % 10]);
					const headers = i % 3 === 0 ? bearer(device.token) : cookieOf(device, both(i));
					return call(both(i), i % 2 ? LIST : ME, { headers: headers as never });
				});
				const entering = verifyCode(fixture.other, email, code);
				const ending = post(REVOKE_ALL, cookieOf(present(devices[round % 10])));

				const ended = await ending;
				// No other request has ended the caller’s session.
				expect(statusAndBody(ended)).toEqual([200, DONE]);
				const after = await Promise.all(
					devices.flatMap((device) =>
						[fixture.server, fixture.other].flatMap((server) => [
							call(server, LIST, { headers: cookieOf(device, server) as never }),
							call(server, LIST, { headers: bearer(device.token) }),
							// Requests that change something query the store, so the other process must know
							// too.
							post('/api/hello', bearer(device.token), {}, server),
							post(UPDATE, cookieOf(device, server), { name: 'Late' }, server)
						])
					)
				);
				expect(tally(after.map(({ status }) => status))).toEqual({ 401: 80 });
				// The caches in the process that ended the sessions, and in its cookies, are void too.
				const remembered = await Promise.all(
					devices.map(({ token }) => call(fixture.server, '/api/hello', { headers: bearer(token) }))
				);
				expect(tally(remembered.map(({ status }) => status))).toEqual({ 401: 10 });
				const caches = await Promise.all(
					devices.map((device) => whoIs(fixture.server, { cookie: jarOf(device) }))
				);
				expect(caches).toEqual(times(10, () => null));

				const statuses = (await Promise.all(inFlight)).map(({ status }) => status);
				expect(statuses.filter((status) => status !== 200 && status !== 401)).toEqual([]);
				// A sign-in by code during the call has no session afterwards either.
				const { status, json } = await entering;
				if (status === 200) {
					const { token } = json() as { token: string };
					expect(await whoIsStored(fixture.other, bearer(token))).toBeNull();
				} else expect(status).toBe(400);
				expect(await rowsOf(fixture, 'session', email)).toEqual([]);
				expect((await userOf(fixture, email))['name']).toBe('');
			}
		});
	},
	{ processes: 2 }
);
