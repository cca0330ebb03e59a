import { expect, test } from 'vitest';
import {
	bearer,
	call,
	freshCode,
	me,
	newAddress,
	pairOf,
	sendCode,
	signIn,
	verifyCode,
	whoIs,
	wrongCode,
	API,
	ME,
	OUT,
	SEND,
	VERIFY
} from '../../support/http/client.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const aUser = (email: string) => ({
	id: expect.stringMatching(UUID),
	name: '',
	email,
	emailVerified: true,
	image: null,
	createdAt: expect.stringMatching(ISO),
	updatedAt: expect.stringMatching(ISO)
});

onBothInLongForm((fixture) => {
	test('send-verification-otp returns success for known and unknown addresses alike, with or without a type', async () => {
		const { email } = await signIn(fixture.server);
		const known = await sendCode(fixture.server, email);
		const unknown = await sendCode(fixture.server, newAddress());
		const typeless = await call(fixture.server, SEND, { json: { email: newAddress(), extra: 1 } });
		const trimmed = await sendCode(fixture.server, `  ${newAddress()}\n`);
		for (const answer of [known, unknown, typeless, trimmed]) {
			expect([answer.status, answer.json()]).toEqual([200, { success: true }]);
			expect(answer.headers['content-type']).toMatch(/^application\/json/);
		}
		// C01: the same bytes under the same header names.
		expect(known.text).toBe(unknown.text);
		expect(Object.keys(known.headers)).toEqual(Object.keys(unknown.headers));
	});

	test('send-verification-otp refuses other types and invalid addresses', async () => {
		const email = newAddress();
		for (const type of ['forget-password', 'change-email', 'x', '', 'SIGN-IN']) {
			const answer = await call(fixture.server, SEND, { json: { email, type } });
			expect([answer.status, answer.json(), type]).toEqual([
				400,
				{ message: 'Invalid OTP type', code: 'INVALID_OTP_TYPE' },
				type
			]);
		}
		const bad = await sendCode(fixture.server, 'nobody');
		expect([bad.status, bad.json()]).toEqual([
			400,
			{ message: 'Invalid email', code: 'INVALID_EMAIL' }
		]);
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(email)).toBe(0);
	});

	test('sign-in/email-otp returns token, user, session cookie and set-auth-token, for new and known users alike', async () => {
		const email = newAddress();
		const created = await signIn(fixture.server, email);
		const again = await signIn(fixture.server, email);
		for (const { answer, token } of [created, again]) {
			expect(answer.json()).toEqual({ token: expect.any(String), user: aUser(email) });
			expect(answer.headers['set-auth-token']).toBe(token);
			expect(answer.headers['cache-control']).toContain('no-store');
			expect(answer.setCookies.map((line) => pairOf(line)[0]).sort()).toEqual([
				'postern_cache',
				'postern_session'
			]);
		}
		expect(again.token).not.toBe(created.token);
		expect(Object.keys(again.answer.headers)).toEqual(Object.keys(created.answer.headers));
	});

	test('a wrong, an unknown and a used code return the same INVALID_OTP, with or without an account', async () => {
		const { email } = await signIn(fixture.server);
		const code = await freshCode(fixture.server, email);
		const answers = [
			await verifyCode(fixture.server, email, wrongCode(code)),
			await verifyCode(fixture.server, newAddress(), '123456'),
			await verifyCode(fixture.server, 'nobody', '123456')
		];
		await verifyCode(fixture.server, email, code);
		answers.push(await verifyCode(fixture.server, email, code));
		for (const answer of answers) {
			expect([answer.status, answer.json()]).toEqual([
				400,
				{ message: 'Invalid OTP', code: 'INVALID_OTP' }
			]);
			expect(answer.headers['set-auth-token']).toBeUndefined();
			expect(answer.setCookies).toEqual([]);
		}
	});

	test('schema errors name every field', async () => {
		const answer = await call(fixture.server, VERIFY, { json: { email: 5, otp: [], name: 7 } });
		expect([answer.status, answer.json()]).toEqual([
			400,
			{
				message: expect.stringMatching(/^\[body\.email\] .+; \[body\.otp\] .+; \[body\.name\] .+/),
				code: 'VALIDATION_ERROR'
			}
		]);
	});

	test('get-session is null without a session, and returns session and user with one, by cookie and bearer', async () => {
		const { cookie, token, email } = await signIn(fixture.server, newAddress(), {
			'user-agent': 'wire-test/1'
		});
		const none = await call(fixture.server, ME);
		expect([none.status, none.text, none.headers['cache-control']]).toEqual([
			200,
			'null',
			expect.stringContaining('no-store')
		]);
		for (const headers of [{ cookie }, bearer(token)]) {
			const answer = await call(fixture.server, ME, { headers });
			expect(answer.headers['cache-control']).toContain('no-store');
			// The session cookie stays as it is; only its cache is rebuilt, and a bearer gets no cache.
			const set = answer.setCookies.map((line) => pairOf(line)[0]);
			expect(set).toEqual('cookie' in headers ? ['postern_cache'] : []);
			const { session, user } = answer.json() as Record<
				'session' | 'user',
				Record<string, unknown>
			>;
			expect(user).toEqual(aUser(email));
			expect(session).toEqual({
				id: expect.stringMatching(UUID),
				token: expect.any(String),
				userId: user['id'],
				expiresAt: expect.stringMatching(ISO),
				createdAt: expect.stringMatching(ISO),
				updatedAt: expect.stringMatching(ISO),
				ipAddress: expect.any(String),
				userAgent: 'wire-test/1'
			});
			expect(session['token']).not.toBe(token);
			expect(answer.text).not.toContain(token);
		}
		expect(
			(await call(fixture.server, `${ME}?disableCookieCache=true`, { headers: { cookie } })).text
		).toContain(email);
	});

	test('sign-out is 200 with or without session, body and content type, and ends the session of its credential', async () => {
		for (const body of [undefined, '', '{}', 'null']) {
			const { cookie, token } = await signIn(fixture.server);
			const headers = { cookie, origin: fixture.server.address };
			const call1 = body === undefined ? {} : { body };
			const out = await call(fixture.server, OUT, { method: 'POST', ...call1, headers });
			expect([out.status, out.json()]).toEqual([200, { success: true }]);
			for (const name of ['postern_session', 'postern_cache']) {
				const line = out.setCookies.find((line) => line.startsWith(`${name}=`));
				expect(line).toMatch(/^\w+=;.*Max-Age=0/i);
			}
			expect(await whoIs(fixture.server, bearer(token))).toBeNull();
		}
		const stranger = await call(fixture.server, OUT, { method: 'POST' });
		expect([stranger.status, stranger.json()]).toEqual([200, { success: true }]);
		const { token } = await signIn(fixture.server);
		await call(fixture.server, OUT, { method: 'POST', headers: bearer(token) });
		expect(await whoIs(fixture.server, bearer(token))).toBeNull();
	});

	test('hello is 401 JSON without a session, and greets by name or address', async () => {
		const stranger = await call(fixture.server, '/api/hello', { headers: { accept: 'text/html' } });
		expect([stranger.status, stranger.json()]).toEqual([
			401,
			{ message: 'Unauthorized', code: 'UNAUTHORIZED' }
		]);
		const email = newAddress();
		const { token, cookie } = await signIn(fixture.server, email);
		for (const headers of [bearer(token), { cookie }]) {
			const hello = await call(fixture.server, '/api/hello', { headers });
			expect([hello.status, hello.json()]).toEqual([200, { message: `Hello, ${email}` }]);
		}
		const other = newAddress();
		const otp = await freshCode(fixture.server, other);
		const named = await call(fixture.server, VERIFY, { json: { email: other, otp, name: 'Ada' } });
		const { token: hers } = named.json() as { token: string };
		const hello = await call(fixture.server, '/api/hello', { headers: bearer(hers) });
		expect(hello.json()).toEqual({ message: 'Hello, Ada' });
	});

	test('ok answers every caller', async () => {
		const answer = await call(fixture.server, `${API}/ok`);
		expect([answer.status, answer.json()]).toEqual([200, { ok: true }]);
	});

	test('another method is 405 JSON with Allow, and HEAD answers like GET without the body', async () => {
		const { token } = await signIn(fixture.server);
		const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
		for (const [path, allowed] of [
			[`${API}/ok`, ['GET', 'HEAD']],
			[ME, ['GET', 'HEAD']],
			['/api/hello', ['GET', 'HEAD']],
			[SEND, ['POST']],
			[VERIFY, ['POST']],
			[OUT, ['POST']]
		] as const) {
			for (const method of methods.filter(
				(method) => !(allowed as readonly string[]).includes(method)
			)) {
				const answer = await call(fixture.server, path, { method, headers: bearer(token) });
				expect([answer.status, answer.headers.allow, path, method]).toEqual([
					405,
					allowed.join(', '),
					path,
					method
				]);
				if (method === 'HEAD') continue;
				expect(answer.json()).toEqual({
					message: 'Method not allowed',
					code: 'METHOD_NOT_ALLOWED'
				});
			}
		}
		for (const path of [`${API}/ok`, ME, '/api/hello']) {
			const get = await call(fixture.server, path, { headers: bearer(token) });
			const head = await call(fixture.server, path, { method: 'HEAD', headers: bearer(token) });
			expect([head.status, head.text]).toEqual([200, '']);
			expect(head.headers['content-type']).toBe(get.headers['content-type']);
			expect(head.headers['cache-control']).toBe(get.headers['cache-control']);
		}
	});

	test('an unknown path is 404 JSON below /api/auth; elsewhere below /api 401 without a session and 404 with one', async () => {
		const { token } = await signIn(fixture.server);
		const notFound = [404, { message: 'Not found', code: 'NOT_FOUND' }];
		const unauthorized = [401, { message: 'Unauthorized', code: 'UNAUTHORIZED' }];
		for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
			for (const [path, headers, expected] of [
				[`${API}/no-such`, {}, notFound],
				[`${API}/no-such`, bearer(token), notFound],
				[API, {}, notFound],
				[`${API}/sign-in/email`, {}, notFound],
				[`${API}/sign-up/email`, {}, notFound],
				[`${API}/forget-password`, {}, notFound],
				[`/api${SEND}`, {}, unauthorized],
				[SEND.toUpperCase(), {}, [303, null]],
				['/api/no-such', {}, unauthorized],
				['/api/no-such', bearer(token), notFound],
				['/api', {}, unauthorized],
				['/api', bearer(token), notFound]
			] as const) {
				const answer = await call(fixture.server, path, {
					method,
					headers: { accept: 'text/html', ...headers }
				});
				if (expected[1] === null) expect(answer.status).toBe(expected[0]);
				else
					expect([answer.status, answer.json(), method, path]).toEqual([...expected, method, path]);
			}
		}
	});

	test('P02 P06 every answer has the security headers, from any check or layer', async () => {
		const { token } = await signIn(fixture.server);
		const answers = [
			await call(fixture.server, `${API}/ok`),
			await call(fixture.server, ME, { headers: bearer(token) }),
			await call(fixture.server, `${API}/no-such`),
			await call(fixture.server, ME, { method: 'PUT' }),
			await call(fixture.server, OUT, { json: {}, headers: { origin: 'null' } }),
			await call(fixture.server, SEND, { method: 'POST', body: '{' }),
			await call(fixture.server, '/app'),
			await call(fixture.server, '/app/'),
			await call(fixture.server, '/auth/sign-in'),
			await call(fixture.server, '/auth/no-such'),
			await call(fixture.server, '/favicon.svg'),
			await call(fixture.server, '/_app/no-such.js'),
			await call(fixture.server, '/%zz')
		];
		for (const { headers } of answers) {
			expect(headers).toMatchObject({
				'x-content-type-options': 'nosniff',
				'referrer-policy': 'strict-origin-when-cross-origin',
				'x-frame-options': 'DENY',
				'cross-origin-opener-policy': 'same-origin'
			});
		}
		const api = answers.slice(0, 6);
		expect(api.map(({ headers }) => headers.vary)).toEqual(
			api.map(() => expect.stringMatching(/Origin, Sec-Fetch-Site/))
		);
	});

	test('a code requested over the API is bound to the browser for same-origin requests, and to the address alone for others', async () => {
		const email = newAddress();
		const own = { origin: fixture.server.address, 'sec-fetch-site': 'same-origin' };
		const bound = await sendCode(fixture.server, email, own);
		const browser = present(bound.setCookies[0]);
		expect(browser).toMatch(/^postern_browser=[A-Za-z0-9_-]{43};/);
		const code = await fixture.server.codeFor(email, 1);

		// A program has no such cookie: it can neither use this code nor use up its attempts.
		for (let guess = 0; guess < 8; guess += 1) {
			expect((await verifyCode(fixture.server, email, code)).status).toBe(400);
		}
		const loose = await sendCode(fixture.server, email, { 'sec-fetch-site': 'same-site' });
		expect(loose.setCookies).toEqual([]);
		const cookie = browser.split(';', 1)[0] ?? '';
		expect((await verifyCode(fixture.server, email, code, { ...own, cookie })).status).toBe(200);
		expect(
			present(await me(fixture.server, { cookie: (await signIn(fixture.server, email)).cookie }))
				.user['email']
		).toBe(email);
	});
});
