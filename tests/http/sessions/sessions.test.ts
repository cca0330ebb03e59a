import { afterEach, expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	exchange,
	freshCode,
	inBatches,
	me,
	newAddress,
	pairOf,
	rounds,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	whoIs,
	API,
	ME,
	OUT,
	SEND,
	VERIFY,
	type Answer
} from '../../support/http/client.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const DAY = 86_400;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const COOKIE = 'postern_session';
const CACHE = 'postern_cache';
const unknownToken = (): string =>
	Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');

/** The same bytes with one bit turned. */
const flipped = (token: string, bit: number): string => {
	const bytes = Buffer.from(token, 'base64url');
	const at = (bit >> 3) % bytes.length;
	bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
	return bytes.toString('base64url');
};

/** Token-like strings that the server never issued. */
const mutations = (token: string, count: number): string[] => {
	const makers: readonly ((i: number) => string)[] = [
		(i) => flipped(token, i),
		(i) => token.slice(0, i % token.length),
		(i) => token + present(ALPHABET[i % 64]),
		(i) => {
			const at = i % token.length;
			const letter = present(ALPHABET[(ALPHABET.indexOf(present(token[at])) + 1 + (i % 63)) % 64]);
			return token.slice(0, at) + letter + token.slice(at + 1);
		},
		(i) => token.slice(i % token.length) + token.slice(0, i % token.length) + (i % 43 ? '' : '.'),
		(i) => token.slice(0, -1) + present(ALPHABET[i % 64]),
		(i) =>
			[...token]
				.map((c, at) =>
					(at + i) % 5 ? c : c.toUpperCase() === c ? c.toLowerCase() : c.toUpperCase()
				)
				.join(''),
		(i) => `${token}${['.', '=', '%00', '%', ' ', ',', '|', '"'][i % 8]}${token.slice(0, i % 9)}`,
		() => unknownToken()
	];
	return times(count, (i) => present(makers[i % makers.length])(i)).filter(
		(text) => text !== token
	);
};

onBothInLongForm((fixture) => {
	const sessionRows = async (email: string) =>
		fixture.database.rows(
			`select s.* from session s join "user" u on u.id = s.user_id where u.email = '${email}'`
		);

	afterEach(async () => {
		await fixture.server.shiftClock(0);
	});

	test('E01 tokens are unique and have 256 bits that all vary', async () => {
		const signedIn = await inBatches(times(rounds(60, 2000), String), 20, () =>
			signIn(fixture.server)
		);
		const tokens = signedIn.map(({ token }) => token);
		expect(new Set(tokens).size).toBe(tokens.length);
		const bits = new Array<number>(256).fill(0);
		for (const token of tokens) {
			expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
			const bytes = Buffer.from(token, 'base64url');
			expect(bytes).toHaveLength(32);
			for (let bit = 0; bit < 256; bit += 1) {
				if ((present(bytes[bit >> 3]) >> (bit & 7)) & 1) bits[bit] = present(bits[bit]) + 1;
			}
		}
		expect(bits.filter((ones) => ones === 0 || ones === tokens.length)).toEqual([]);
	});

	test('E02 a planted session cookie is replaced at sign-in and never works', async () => {
		const victim = newAddress('victim');
		const attacker = await signIn(fixture.server);
		const ended = await signIn(fixture.server);
		await call(fixture.server, OUT, { json: {}, headers: bearer(ended.token) });

		for (const planted of [unknownToken(), attacker.token, ended.token, 'x']) {
			const answer = await signIn(fixture.server, victim, { cookie: `${COOKIE}=${planted}` });
			expect(answer.token).not.toBe(planted);
			expect(await whoIs(fixture.server, { cookie: `${COOKIE}=${planted}` })).toBeNull();
			expect(await whoIs(fixture.server, { cookie: answer.cookie })).toBe(victim);
			await fixture.database.rows(`delete from auth_throttle where email = '${victim}'`);
		}
		// The planted session was the attacker’s own: it ends, so that no one can share it.
		expect(await whoIs(fixture.server, bearer(attacker.token))).toBeNull();
	});

	test('E02 an attacker who plants a browser cookie cannot use the code', async () => {
		const planted = unknownToken();
		const browser = openBrowser(fixture.server);
		browser.plant('postern_browser', planted);
		const email = newAddress('victim');
		await browser.post('/auth/sign-in?/request', { email, __superform_id: 'email' });
		const code = await fixture.server.codeFor(email);
		await browser.post('/auth/sign-in?/verify', { email, code, __superform_id: 'code' });
		const session = present(browser.cookie(COOKIE));
		expect(session).not.toBe(planted);
		expect(await whoIs(fixture.server, { cookie: `${COOKIE}=${planted}` })).toBeNull();
		expect(await whoIs(fixture.server, bearer(planted))).toBeNull();
		expect(await whoIs(fixture.server, { cookie: `${COOKIE}=${session}` })).toBe(email);
	});

	test('E03 signing in again in the same browser ends the old session and no other (CVE-2015-8314)', async () => {
		const email = newAddress();
		const phone = await signIn(fixture.server, email);
		const first = await signIn(fixture.server, email);
		const second = await signIn(fixture.server, email, { cookie: first.cookie });
		expect(second.token).not.toBe(first.token);
		expect(await whoIs(fixture.server, { cookie: first.cookie })).toBeNull();
		expect(await whoIs(fixture.server, bearer(first.token))).toBeNull();
		expect(await whoIs(fixture.server, { cookie: second.cookie })).toBe(email);
		expect(await whoIs(fixture.server, bearer(phone.token))).toBe(email);
		expect(await sessionRows(email)).toHaveLength(2);
	});

	test('E04 of 10,000 mutations of a token, as cookie and as bearer, none is a session and none is a 5xx', async () => {
		const { token, cookie, email } = await signIn(fixture.server);
		const tried = mutations(token, rounds(1000, 10_000));
		const answers = await inBatches(tried, 100, async (text, i) =>
			call(fixture.server, ME, {
				headers: i % 2 === 0 ? { cookie: `${COOKIE}=${text}` } : bearer(text)
			})
		);
		const wrong = answers.flatMap(({ status, text }, i) =>
			status === 200 && text === 'null' ? [] : [[tried[i], status, text]]
		);
		expect(wrong).toEqual([]);
		expect(await whoIs(fixture.server, { cookie })).toBe(email);
	});

	test('E04 the id and the handle of a session are not credentials', async () => {
		const { cookie } = await signIn(fixture.server);
		const { session, user } = present(await me(fixture.server, { cookie }));
		for (const value of [session['id'], session['token'], user['id'], session['userId']]) {
			expect(await whoIs(fixture.server, bearer(String(value)))).toBeNull();
			expect(await whoIs(fixture.server, { cookie: `${COOKIE}=${String(value)}` })).toBeNull();
			const hello = await call(fixture.server, '/api/hello', { headers: bearer(String(value)) });
			expect(hello.status).toBe(401);
		}
	});

	test('E05 a valid bearer wins over another user’s cookie, an invalid one falls back to it', async () => {
		const [a, b] = [await signIn(fixture.server), await signIn(fixture.server)];
		const { cookie } = a;
		expect(await whoIs(fixture.server, { cookie, ...bearer(b.token) })).toBe(b.email);
		for (const junk of [unknownToken(), 'x', '%']) {
			expect(await whoIs(fixture.server, { cookie, ...bearer(junk) })).toBe(a.email);
		}
		expect(await whoIs(fixture.server, bearer(unknownToken()))).toBeNull();
	});

	test('E10 using a session after 23:59 h does not extend it', async () => {
		const { cookie, email } = await signIn(fixture.server);
		const before = await sessionRows(email);
		await fixture.server.shiftClock(DAY - 60);
		const answer = await call(fixture.server, ME, { headers: { cookie } });
		expect(answer.setCookies.map((line) => pairOf(line)[0])).toEqual([CACHE]);
		expect(await sessionRows(email)).toEqual(before);
	});

	test('E10 a day later 100 concurrent uses are all answered, one extends it by 60 days and renews the cookie', async () => {
		const { cookie, token } = await signIn(fixture.server);
		await fixture.server.shiftClock(DAY - 60);
		const early = await call(fixture.server, ME, { headers: { cookie } });
		// Half of them have a fresh cache, which must not hide that the refresh is due.
		const jar = `${cookie}; ${early.setCookies.map((line) => pairOf(line).join('=')).join('; ')}`;
		expect(jar).toContain(`${CACHE}=`);
		await fixture.server.shiftClock(DAY + 1);
		const answers = await Promise.all(
			times(100, (i) => call(fixture.server, ME, { headers: { cookie: i % 2 ? cookie : jar } }))
		);
		expect(answers.filter(({ status, text }) => status !== 200 || text === 'null')).toEqual([]);
		const renewalOf = ({ setCookies }: Answer) =>
			setCookies.find((line) => pairOf(line)[0] === COOKIE);
		const renewals = answers.filter((answer) => renewalOf(answer) !== undefined);
		expect(renewals).toHaveLength(1);
		const line = renewalOf(present(renewals[0]));
		expect(pairOf(present(line))).toEqual([COOKIE, token]);
		expect(line).toMatch(/; Max-Age=5184000\b/i);
		expect(renewals[0]?.headers['cache-control']).toContain('no-store');

		const session = present(await me(fixture.server, { cookie })).session;
		const refreshed = Date.parse(String(session['updatedAt']));
		expect(Date.parse(String(session['expiresAt'])) - refreshed).toBe(60 * DAY * 1000);
		expect(refreshed - Date.parse(String(session['createdAt']))).toBeGreaterThanOrEqual(DAY * 1000);
		expect(renewalOf(await call(fixture.server, ME, { headers: { cookie } }))).toBeUndefined();
	});

	test('E10 a bearer request extends the session and sends no cookie; disableRefresh extends nothing', async () => {
		const { token, email } = await signIn(fixture.server);
		const before = await sessionRows(email);
		await fixture.server.shiftClock(DAY + 1);
		const response = await call(fixture.server, `${ME}?disableRefresh=true`, {
			headers: bearer(token)
		});
		expect((response.json() as { user: { email: string } }).user.email).toBe(email);
		expect(await sessionRows(email)).toEqual(before);
		const used = await call(fixture.server, ME, { headers: bearer(token) });
		expect(used.setCookies).toEqual([]);
		expect(used.headers['set-auth-token']).toBeUndefined();
		expect(await sessionRows(email)).not.toEqual(before);
		expect(await whoIs(fixture.server, bearer(token))).toBe(email);
	});

	test('E11 after 60 idle days and a second a session is invalid', async () => {
		const { cookie, token, email } = await signIn(fixture.server);
		await fixture.server.shiftClock(60 * DAY - 5);
		expect(
			(await call(fixture.server, `${ME}?disableRefresh=true`, { headers: { cookie } })).text
		).toContain(email);
		await fixture.server.shiftClock(60 * DAY + 1);
		expect(await whoIs(fixture.server, { cookie })).toBeNull();
		expect((await call(fixture.server, '/api/hello', { headers: bearer(token) })).status).toBe(401);
		expect((await call(fixture.server, '/app', { headers: { cookie } })).status).toBe(303);
	});

	test('E16 the bearer scheme is accepted in any case, with extra spaces, percent-encoded', async () => {
		const { token, email } = await signIn(fixture.server);
		const encoded = `%${token.charCodeAt(0).toString(16)}${token.slice(1)}`;
		for (const value of [
			`bearer ${token}`,
			`BEARER   ${token}`,
			`bEaReR ${token}  `,
			`Bearer ${encoded}`
		]) {
			expect([await whoIs(fixture.server, { authorization: value }), value]).toEqual([
				email,
				value
			]);
		}
	});

	test('E16 every other Authorization header counts as no session, and causes no error (GHSA-xmf8-cvqr-rfgj)', async () => {
		const { token } = await signIn(fixture.server);
		const other = (await signIn(fixture.server)).token;
		const values = [
			...['Bearer', 'Bearer ', 'Bearer %', 'Bearer %zz', `Bearer${token}`, `Basic ${token}`, token],
			...[`Bearer ${token} ${other}`, `Bearer ${token}, Bearer ${other}`, `Bearer "${token}"`],
			...['Bearer null', 'Bearer undefined', `Bearer Bearer ${token}`, `Token ${token}`],
			`Bearer ${'a'.repeat(10_000)}`
		];
		for (const authorization of values) {
			const answer = await call(fixture.server, ME, { headers: { authorization } });
			expect([answer.status, answer.text, authorization]).toEqual([200, 'null', authorization]);
			const hello = await call(fixture.server, '/api/hello', { headers: { authorization } });
			expect([hello.status, hello.json()]).toEqual([
				401,
				{ message: 'Unauthorized', code: 'UNAUTHORIZED' }
			]);
		}
		const huge = await exchange(
			fixture.server,
			`GET ${ME} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${'a'.repeat(64 * 1024)}\r\n\r\n`
		);
		// The connection may close before the answer is read; the answer never says more than this.
		expect(['', 'HTTP/1.1 431 Request Header Fields Too Large']).toContain(
			huge.split('\r\n', 1)[0]
		);
		expect(await whoIs(fixture.server, bearer(token))).not.toBeNull();
	});

	test('E16 with two Authorization headers the sessions never mix', async () => {
		const [a, b] = [await signIn(fixture.server), await signIn(fixture.server)];
		const headers = { authorization: [`Bearer ${a.token}`, `Bearer ${b.token}`] as never };
		const answer = await call(fixture.server, ME, { headers });
		// Node keeps the first of two; the second must not decide.
		expect([400, 200]).toContain(answer.status);
		expect(answer.text).not.toContain(b.email);
	});

	test('E17 a token in the query or the body is ignored', async () => {
		const { token } = await signIn(fixture.server);
		for (const query of ['token', 'access_token', 'authorization', COOKIE, 'session']) {
			expect((await call(fixture.server, `${ME}?${query}=${token}`)).text).toBe('null');
			expect((await call(fixture.server, `/api/hello?${query}=${token}`)).status).toBe(401);
		}
		await call(fixture.server, OUT, { json: { token, access_token: token, session: token } });
		expect(await whoIs(fixture.server, bearer(token))).not.toBeNull();
	});

	test('E19 neither a web form nor a refresh shows the token', async () => {
		const browser = openBrowser(fixture.server);
		const email = newAddress();
		const response = await browser.post('/auth/sign-in?/request', {
			email,
			__superform_id: 'email'
		});
		const code = await fixture.server.codeFor(email);
		const done = await browser.post('/auth/sign-in?/verify', {
			email,
			code,
			__superform_id: 'code'
		});
		expect([response.status, done.status]).toEqual([303, 303]);
		const token = present(browser.cookie(COOKIE));
		expect(done.text).not.toContain(token);
		expect(done.headers['set-auth-token']).toBeUndefined();
		expect(done.setCookies.join()).toMatch(/postern_session=[^;]+;[^,]*HttpOnly/i);
		const mine = await browser.api(ME, {});
		expect(mine.text).toContain(email);
		expect(mine.text).not.toContain(token);
		expect((await browser.open('/app')).text).not.toContain(token);
	});

	test('E23 O08 no id in body, query or headers selects the acting user (CVE-2025-61928, GHSA-h3rm-78g3-j7cp)', async () => {
		const [actor, target] = [await signIn(fixture.server), await signIn(fixture.server)];
		const them = present(await me(fixture.server, bearer(target.token)));
		const ids = {
			userId: them.user['id'],
			sessionId: them.session['id'],
			id: them.user['id'],
			email: target.email,
			token: them.session['token']
		};
		const query = new URLSearchParams(ids as Record<string, string>).toString();
		const headers = {
			...bearer(actor.token),
			'x-user-id': String(ids.userId),
			'x-user-email': target.email,
			'x-session-id': String(ids.sessionId)
		};
		const mine = await call(fixture.server, `${ME}?${query}`, { headers });
		expect((mine.json() as { user: { email: string } }).user.email).toBe(actor.email);
		expect((await call(fixture.server, `/api/hello?${query}`, { headers })).text).toContain(
			actor.email
		);
		expect((await call(fixture.server, `${ME}?${query}`)).text).toBe('null');
		await call(fixture.server, `${OUT}?${query}`, { json: ids, headers });
		expect(await whoIs(fixture.server, bearer(target.token))).toBe(target.email);
		expect(await whoIs(fixture.server, bearer(actor.token))).toBeNull();
	});

	test('E23 O08 an address in the query or a cookie changes neither where a code is sent nor what it is checked for', async () => {
		const [requested, other] = [newAddress(), newAddress()];
		const answer = await call(fixture.server, `${SEND}?email=${other}`, {
			json: { email: requested },
			headers: { cookie: `email=${other}` }
		});
		expect(answer.status).toBe(200);
		const code = await fixture.server.codeFor(requested);
		const verified = await call(fixture.server, `${VERIFY}?email=${other}&otp=000000`, {
			json: { email: requested, otp: code }
		});
		expect((verified.json() as { user: { email: string } }).user.email).toBe(requested);
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(other)).toBe(0);
	});

	test('E24 every answer with a session, a token or a cookie is no-store', async () => {
		const email = newAddress();
		const sent = await sendCode(fixture.server, email, {
			'sec-fetch-site': 'same-origin',
			origin: fixture.server.address
		});
		const cookie = sent.setCookies.map((line) => pairOf(line).join('=')).join('; ');
		const code = await fixture.server.codeFor(email);
		const signedIn = await verifyCode(fixture.server, email, code, {
			cookie,
			origin: fixture.server.address
		});
		expect(signedIn.status).toBe(200);
		const { token } = signedIn.json() as { token: string };
		const answers = [
			sent,
			signedIn,
			await call(fixture.server, ME, { headers: bearer(token) }),
			await call(fixture.server, ME),
			await call(fixture.server, '/api/hello', { headers: bearer(token) }),
			await call(fixture.server, '/app', { headers: bearer(token) }),
			await call(fixture.server, OUT, { json: {}, headers: bearer(token) })
		];
		expect(answers.map(({ headers }) => headers['cache-control'])).toEqual(
			answers.map(() => expect.stringContaining('no-store'))
		);
	});

	test('E06 signing out ends the session at once, for cookie and bearer alike', async () => {
		const { cookie, token, email } = await signIn(fixture.server);
		const device = await signIn(fixture.server, email);
		const out = await call(fixture.server, OUT, {
			json: {},
			headers: { cookie, origin: fixture.server.address }
		});
		expect([out.status, out.json()]).toEqual([200, { success: true }]);
		expect(await whoIs(fixture.server, { cookie })).toBeNull();
		expect(await whoIs(fixture.server, bearer(token))).toBeNull();
		expect(
			(
				await call(fixture.server, `${API}/get-session?disableCookieCache=false`, {
					headers: { cookie }
				})
			).text
		).toBe('null');
		expect(await whoIs(fixture.server, bearer(device.token))).toBe(email);
		expect(tally((await sessionRows(email)).map(() => 'row'))).toEqual({ row: 1 });
	});
});
