import { afterEach, expect, test } from 'vitest';
import {
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	pairOf,
	signIn,
	times,
	whoIs,
	ME,
	OUT,
	VERIFY,
	STORED_ME,
	whoIsStored,
	type Answer,
	type SignedIn
} from '../../support/http/client.ts';
import { forgetSessions } from '../../support/http/forget-sessions.ts';
import { CACHE, SESSION, cacheOf, jarOf, liveJar } from '../../support/http/cookie-jar.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const LIFETIME = 300;
const DAY = 86_400;

const cacheLine = ({ setCookies }: Answer): string | undefined =>
	setCookies.find((line) => pairOf(line)[0].endsWith(CACHE));
const isSignedIn = ({ status, text }: Answer): boolean => status === 200 && text !== 'null';

onBothInLongForm(
	(fixture) => {
		const get = (path: string, headers = {}): Promise<Answer> =>
			call(fixture.server, path, { headers });
		const forgetSession = (person: SignedIn): Promise<void> => forgetSessions(fixture, person);
		/** A signed-in user with an accepted cache: this process has read all changes of others. */
		const signInCached = async (email?: string) => {
			const person = await signIn(fixture.server, email);
			return { ...person, jar: await liveJar(fixture.server, person) };
		};

		afterEach(async () => {
			await fixture.server.holdMonotonic(false);
			await fixture.server.shiftClock(0);
		});

		test('E06 reading by cookie with its cache queries no database for 300 s, and then gets 401', async () => {
			const person = await signInCached();
			const cookie = person.jar;
			await forgetSession(person);
			for (const path of [ME, `${ME}?disableCookieCache=false`, '/api/hello', '/app']) {
				const answer = await get(path, { cookie });
				expect([answer.status, answer.text.includes(person.email), path]).toEqual([
					200,
					true,
					path
				]);
				expect(cacheLine(answer)).toBeUndefined();
			}
			const head = await call(fixture.server, '/api/hello', {
				method: 'HEAD',
				headers: { cookie }
			});
			expect(head.status).toBe(200);

			await fixture.server.shiftClock(LIFETIME - 5);
			expect(await whoIs(fixture.server, { cookie })).toBe(person.email);
			await fixture.server.shiftClock(LIFETIME + 1);
			expect(await whoIs(fixture.server, { cookie })).toBeNull();
			expect((await get('/api/hello', { cookie })).status).toBe(401);
			expect((await get('/app', { cookie })).status).toBe(303);
		});

		test('E06 E07 E09 only a plain read accepts the cache of a session that the store no longer has', async () => {
			const person = await signInCached();
			const cookie = person.jar;
			await forgetSession(person);
			expect(await whoIs(fixture.server, { cookie })).toBe(person.email);

			for (const query of [
				'disableCookieCache=true',
				'disableCookieCache=true&disableCookieCache=false'
			])
				for (const headers of [{ cookie }, bearer(person.token)])
					expect((await get(`${ME}?${query}`, headers)).text).toBe('null');

			// Requests that may change something query the store: these need a session, and there is
			// none.
			const own = { cookie, origin: fixture.server.address, 'sec-fetch-site': 'same-origin' };
			for (const path of ['/api/no-such-thing', '/api/hello']) {
				for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
					for (const query of ['', '?disableCookieCache=false']) {
						for (const headers of [own, bearer(person.token)]) {
							const answer = await call(fixture.server, path + query, { method, headers });
							expect([answer.status, method, path]).toEqual([401, method, path]);
						}
					}
				}
			}
		});

		test('E06 signing out with a bearer and the cookie of another session voids the caches of both immediately', async () => {
			const [program, browser] = [await signIn(fixture.server), await signIn(fixture.server)];
			const cookie = jarOf(browser);
			expect(await whoIs(fixture.server, { cookie })).toBe(browser.email);
			const headers = { cookie, ...bearer(program.token) };
			expect((await call(fixture.server, OUT, { json: {}, headers })).status).toBe(200);
			expect(await whoIs(fixture.server, bearer(program.token))).toBeNull();
			expect(await whoIs(fixture.server, { cookie: jarOf(program) })).toBeNull();
			expect(await whoIs(fixture.server, { cookie })).toBeNull();
		});

		test('E03 E06 signing in with a bearer and the cookie of another session ends the session of the cookie, and its cache', async () => {
			const [program, browser] = [await signIn(fixture.server), await signIn(fixture.server)];
			const cookie = jarOf(browser);
			expect(await whoIs(fixture.server, { cookie })).toBe(browser.email);
			await signIn(fixture.server, newAddress(), { cookie, ...bearer(program.token) });
			expect(await whoIs(fixture.server, bearer(browser.token))).toBeNull();
			expect(await whoIs(fixture.server, { cookie })).toBeNull();
			expect(await whoIs(fixture.server, bearer(program.token))).toBe(program.email);
		});

		test('E06 E07 after a sign-out another process refuses strict requests immediately, and soon the cache', async () => {
			const person = await signIn(fixture.server);
			const cookie = await liveJar(fixture.other, person);
			const at = (path: string, headers = {}) => call(fixture.other, path, { headers });
			expect(isSignedIn(await at(ME, { cookie }))).toBe(true);
			const own = { cookie, origin: fixture.server.address };
			expect((await call(fixture.server, OUT, { json: {}, headers: own })).status).toBe(200);
			expect(await whoIs(fixture.server, { cookie })).toBeNull();
			for (const headers of [{ cookie, origin: fixture.other.address }, bearer(person.token)]) {
				expect(await whoIsStored(fixture.other, headers)).toBeNull();
				const changed = await call(fixture.other, '/api/no-such-thing', { json: {}, headers });
				expect(changed.status).toBe(401);
			}
			const soon = { interval: 20 };
			for (const headers of [{ cookie }, bearer(person.token)]) {
				await expect.poll(async () => (await at(ME, headers)).text, soon).toBe('null');
				expect((await at('/api/hello', headers)).status).toBe(401);
			}
			expect((await at('/app', { cookie })).status).toBe(303);
		});

		test('E05 a cache is worthless without its session cookie, and with the cookie of another session', async () => {
			await signInCached();
			const [a, b, c] = [
				await signIn(fixture.server),
				await signIn(fixture.server),
				await signIn(fixture.server)
			];
			const cacheOfA = `${CACHE}=${cacheOf(a.answer)}`;
			expect(await whoIs(fixture.server, { cookie: cacheOfA })).toBeNull();
			expect(await whoIs(fixture.server, { cookie: `${cacheOfA}; ${SESSION}=` })).toBeNull();
			expect(
				await whoIs(fixture.server, { cookie: `${cacheOfA}; ${SESSION}=${'A'.repeat(43)}` })
			).toBeNull();

			const mixed = await get(ME, { cookie: `${b.cookie}; ${cacheOfA}` });
			expect(mixed.text).toContain(b.email);
			expect(mixed.text).not.toContain(a.email);
			// The cache is rebuilt for the session of the cookie.
			const rebuilt = `${b.cookie}; ${CACHE}=${cacheOf(mixed)}`;
			expect(await whoIs(fixture.other, { cookie: rebuilt })).toBe(b.email);

			// What this process has not read yet can come only from the cache.
			await forgetSession(c);
			expect(await whoIs(fixture.server, { cookie: `${c.cookie}; ${cacheOfA}` })).toBeNull();
			// Of two caches neither counts.
			const two = `${c.cookie}; ${CACHE}=${cacheOf(c.answer)}; ${cacheOfA}`;
			expect(await whoIs(fixture.server, { cookie: two })).toBeNull();
			expect(await whoIs(fixture.server, { cookie: jarOf(c) })).toBe(c.email);
			// Two sessions of one user are different sessions as well.
			await fixture.server.holdMonotonic(false);
			const again = await signIn(fixture.server, a.email);
			await forgetSession(again);
			expect(await whoIs(fixture.server, { cookie: `${again.cookie}; ${cacheOfA}` })).toBeNull();
		});

		test('E05 a cache that is changed, cut, extended or made up is ignored and rebuilt, and causes no error', async () => {
			await signInCached();
			const person = await signIn(fixture.server);
			const sealed = cacheOf(person.answer);
			const changed = times(sealed.length, (at) => {
				const letter = sealed[at] === 'A' ? 'B' : 'A';
				return sealed.slice(0, at) + letter + sealed.slice(at + 1);
			}).filter((_, at) => at % Math.ceil(sealed.length / 60) === 0);
			const junk = ['', 'x', '.', '..', 'null', '{}', 'e30', '%zz', '"', 'A'.repeat(3900)];
			const bytes = Buffer.from(sealed, 'base64url');
			const grown = ['A', 'AA', 'AAAA', sealed].map((more) => sealed + more);
			// Base64 has several spellings of the same bytes, which are the same cache.
			const tried = [...changed, ...junk, sealed.slice(0, -2), sealed.slice(2), ...grown].filter(
				(value) => !Buffer.from(value, 'base64url').equals(bytes)
			);
			expect(tried.length).toBeGreaterThan(60);
			for (const value of junk) {
				const other = await signIn(fixture.server);
				const answer = await get(ME, { cookie: `${other.cookie}; ${CACHE}=${value}` });
				expect([answer.status, answer.text.includes(other.email)]).toEqual([200, true]);
				expect(cacheOf(answer)).toMatch(/^[\w.~-]{100,}$/);
			}
			await forgetSession(person);
			const answers = await Promise.all(
				tried.map((value) => get(ME, { cookie: `${person.cookie}; ${CACHE}=${value}` }))
			);
			expect(answers.map(({ status, text }) => [status, text])).toEqual(
				tried.map(() => [200, 'null'])
			);
			expect(await whoIs(fixture.server, { cookie: jarOf(person) })).toBe(person.email);
		});

		test('E08 the server’s clock decides: a cache from the future is as worthless as an expired one', async () => {
			await fixture.server.shiftClock(3600);
			const person = await signInCached();
			const cookie = person.jar;
			await forgetSession(person);
			expect(await whoIs(fixture.server, { cookie })).toBe(person.email);
			await fixture.server.shiftClock(0);
			expect(await whoIs(fixture.server, { cookie })).toBeNull();
			await fixture.server.shiftClock(3600 + LIFETIME - 5);
			expect(await whoIs(fixture.server, { cookie })).toBe(person.email);
			await fixture.server.shiftClock(3600 + 10 * DAY);
			expect(await whoIs(fixture.server, { cookie })).toBeNull();
		});

		test('D08 no encoding of the cache shows email address, name, picture or ids', async () => {
			const email = newAddress('clear');
			const otp = await freshCode(fixture.server, email);
			const profile = { name: 'Grace Hopper', image: 'https://example.com/grace.png' };
			const answer = await call(fixture.server, VERIFY, { json: { email, otp, ...profile } });
			const { token } = answer.json() as { token: string };
			const known = present(await me(fixture.server, bearer(token)));
			const sealed = cacheOf(answer);
			const views = [
				sealed,
				decodeURIComponent(sealed),
				...sealed.split('.'),
				...['base64', 'base64url', 'hex', 'latin1'].map((encoding) =>
					Buffer.from(sealed, encoding as BufferEncoding).toString('latin1')
				),
				...sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
			];
			const secrets = [
				...[email, 'clear', 'example.com', 'Grace', 'Hopper', 'grace.png', 'emailVerified', token],
				...[known.user['id'], known.session['id'], known.session['token']].map(String)
			];
			const seen = secrets.filter((text) => views.some((view) => view.includes(text)));
			expect(seen).toEqual([]);
			// The same content is sealed differently each time.
			const cookie = `${SESSION}=${token}`;
			const sealedAgain = async () => cacheOf(await get(STORED_ME, { cookie }));
			expect(await sealedAgain()).not.toBe(await sealedAgain());
		});

		test('D05 no cookie is over 4096 bytes with the longest address, name and user agent', async () => {
			const local = newAddress('x').split('@')[0]?.padEnd(64, 'y') ?? '';
			const longest = `${local}@${'d'.repeat(63)}.${'e'.repeat(63)}.${'f'.repeat(57)}.com`;
			const signInAs = async (email: string, profile: object): Promise<Answer> => {
				const otp = await freshCode(fixture.server, email);
				const agent = { 'user-agent': 'ü'.repeat(600) };
				return call(fixture.server, VERIFY, { json: { email, otp, ...profile }, headers: agent });
			};
			const fits = await signInAs(longest, { name: '\u20ac'.repeat(200), image: null });
			expect(fits.status).toBe(200);
			const lengths = fits.setCookies.map((line) => pairOf(line).join('').length);
			expect(Math.max(...lengths)).toBeLessThanOrEqual(4096);
			// The server omits what does not fit, and the session works.
			const { token } = fits.json() as { token: string };
			expect(await whoIs(fixture.server, { cookie: `${SESSION}=${token}` })).toBe(longest);
		});

		test('D05 a profile too large for a cookie deletes the browser’s cache and keeps the session', async () => {
			const person = await signIn(fixture.server);
			const old = jarOf(person);
			const image = `https://example.com/${'p'.repeat(6000)}`;
			await fixture.database.rows(
				`update "user" set image = '${image}' where email = '${person.email}'`
			);
			const read = await get(`${ME}?disableCookieCache=true`, { cookie: old });
			expect(read.text).toContain(image);
			const line = present(cacheLine(read));
			expect(line).toMatch(/^postern_cache=; .*Max-Age=0/i);
			for (let use = 0; use < 3; use += 1) {
				const page = await get('/app', { cookie: person.cookie });
				expect([page.status, page.text.includes(person.email)]).toEqual([200, true]);
			}
		});

		test('E24 two concurrent users on one connection never see each other, and every such answer is no-store', async () => {
			const people = [await signIn(fixture.server), await signIn(fixture.server)];
			const answers = await Promise.all(
				times(60, (i) => {
					const person = present(people[i % 2]);
					const path = present(
						[ME, '/api/hello', '/app', '/app/__data.json', '/auth/sign-out'][i % 5]
					);
					return get(path, { cookie: i % 3 === 0 ? person.cookie : jarOf(person) });
				})
			);
			answers.forEach((answer, i) => {
				const [mine, theirs] = [present(people[i % 2]), present(people[(i + 1) % 2])];
				expect([answer.status, answer.text.includes(mine.email)]).toEqual([200, true]);
				expect(answer.text).not.toContain(theirs.email);
				expect(answer.headers['cache-control']).toContain('no-store');
			});
		});
	},
	{ processes: 2, alone: true }
);
