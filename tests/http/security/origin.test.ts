import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	exchange,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	verifyCode,
	whoIs,
	ME,
	OUT,
	SEND,
	VERIFY,
	type Answer
} from '../../support/http/client.ts';
import { onBothInLongForm, present } from '../../support/http/fixtures.ts';

const TRUSTED = 'https://app.example.com';
const INVALID = { message: 'Invalid origin', code: 'INVALID_ORIGIN' };
const MISSING = { message: 'Missing or null Origin', code: 'MISSING_OR_NULL_ORIGIN' };
const FOREIGN_FORM = 'This form was sent from another site';
/** The refusal as a program gets it, and as a page shows it. */
const refusalOf = (answer: Answer, request: object): unknown =>
	'form' in request ? new RegExp(FOREIGN_FORM).exec(textOf(answer.text))?.[0] : answer.json();
const FORM = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

onBothInLongForm(
	(fixture) => {
		/** Every state-changing endpoint and form, each ready to succeed if the gate allows it. */
		const requests = (email: string) => [
			{ path: SEND, json: { email, type: 'sign-in' } },
			{ path: VERIFY, json: { email, otp: '123456' } },
			{ path: OUT, json: {} },
			...['/auth/sign-in', '/auth/sign-up'].flatMap((page) => [
				{ path: `${page}?/request`, form: { email, __superform_id: 'email' } },
				{ path: `${page}?/resend`, form: { email, __superform_id: 'resend' } },
				{ path: `${page}?/verify`, form: { email, code: '123456', __superform_id: 'code' } }
			]),
			{ path: '/auth/sign-out', form: {} as Record<string, string> }
		];
		const send = (
			request: { path: string; json?: unknown; form?: Record<string, string> },
			headers: OutgoingHttpHeaders
		): Promise<Answer> =>
			call(fixture.server, request.path, {
				method: 'POST',
				body:
					request.form === undefined
						? JSON.stringify(request.json)
						: new URLSearchParams(request.form).toString(),
				headers: {
					...(request.form === undefined ? { 'content-type': 'application/json' } : FORM),
					...headers
				}
			});
		/** The request sent no email, counted no guess and ended no session. */
		const expectNothingDone = async (email: string, cookie: string): Promise<void> => {
			await freshCode(fixture.server, newAddress());
			expect(fixture.server.codesSentTo(email)).toBe(0);
			expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
		};

		test.each([
			['F01 of another site', { origin: 'https://evil.example' }, INVALID],
			['F02 F13 null', { origin: 'null' }, MISSING],
			['F04 only in a foreign Referer', { referer: 'https://evil.example/page' }, INVALID],
			['F12 stripped, but the browser says cross-site', { 'sec-fetch-site': 'cross-site' }, INVALID]
		])(
			'%s: such an origin changes nothing at any endpoint, with or without cookies',
			async (_, headers, refusal) => {
				const { cookie } = await signIn(fixture.server);
				const email = newAddress('victim');
				for (const request of requests(email)) {
					for (const cookies of [{}, { cookie }, { cookie: `${cookie}; postern_browser=x` }]) {
						const answer = await send(request, { ...headers, ...cookies });
						expect([answer.status, refusalOf(answer, request), request.path]).toEqual([
							403,
							'form' in request ? FOREIGN_FORM : refusal,
							request.path
						]);
						expect(answer.headers.vary).toMatch(/Origin, Sec-Fetch-Site/);
						expect(answer.setCookies).toEqual([]);
					}
				}
				await expectNothingDone(email, cookie);
			}
		);

		test('F03 a program without Origin, Referer and cookie is allowed', async () => {
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			expect((await verifyCode(fixture.server, email, code)).status).toBe(200);
			expect((await call(fixture.server, OUT, { json: {} })).status).toBe(200);
			// Node’s own fetch sends sec-fetch-mode: cors, and no other such header.
			const url = fixture.server.address.replace('localhost', '127.0.0.1') + SEND;
			const fetched = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ email: newAddress() })
			});
			expect([fetched.status, await fetched.json()]).toEqual([200, { success: true }]);
		});

		test('F03 without Origin and Referer a session cookie is no credential for a change', async () => {
			const { cookie } = await signIn(fixture.server);
			const email = newAddress('victim');
			for (const request of requests(email)) {
				if (request.path === SEND || request.path === VERIFY) continue;
				const answer = await send(request, { cookie });
				expect([answer.status, refusalOf(answer, request), request.path]).toEqual([
					403,
					'form' in request ? FOREIGN_FORM : MISSING,
					request.path
				]);
			}
			await expectNothingDone(email, cookie);
		});

		test('F03 sending and checking a code act on no session, so unrelated cookies do not matter', async () => {
			const { cookie } = await signIn(fixture.server);
			const email = newAddress();
			expect((await sendCode(fixture.server, email, { cookie })).status).toBe(200);
			const code = await fixture.server.codeFor(email);
			expect((await verifyCode(fixture.server, email, code, { cookie })).status).toBe(200);
		});

		test('F05 only exact origins pass (CVE-2024-52289)', async () => {
			const { port } = new URL(fixture.server.address);
			const good = [
				...[
					fixture.server.address,
					TRUSTED,
					'HTTPS://APP.EXAMPLE.COM',
					'https://app.example.com:443'
				],
				...['capacitor://localhost', 'ionic://localhost', 'http://localhost']
			];
			const bad = [
				...[`${TRUSTED}.evil.io`, 'https://evilapp.example.com', `${TRUSTED}:8443`, `${TRUSTED}.`],
				...[
					'http://app.example.com',
					'https://x@app.example.com',
					`${TRUSTED}\\@evil`,
					`${TRUSTED}/`
				],
				...[
					`${TRUSTED}/path`,
					`${TRUSTED}, ${TRUSTED}`,
					`${TRUSTED} ${TRUSTED}`,
					'https://appXexample.com'
				],
				...[`https://localhost:${port}`, `http://127.0.0.1:${port}`, 'http://localhost:1337'],
				...['https://localhost', 'capacitor://localhost.evil', 'capacitor://evil', 'ionic://x'],
				...['https://xn--pp-7ia.example.com', 'file://', 'data:', 'undefined', '*', ' ']
			];
			for (const origin of good) {
				const answer = await call(fixture.server, OUT, { json: {}, headers: { origin } });
				expect([answer.status, origin]).toEqual([200, origin]);
			}
			for (const origin of bad) {
				const answer = await call(fixture.server, OUT, { json: {}, headers: { origin } });
				expect([answer.status, answer.json(), origin]).toEqual([403, INVALID, origin]);
			}
		});

		test('F05 an empty Origin beside a cookie and two Origin headers do not pass', async () => {
			const { cookie } = await signIn(fixture.server);
			const empty = await call(fixture.server, OUT, { json: {}, headers: { cookie, origin: '' } });
			expect(empty.status).toBe(403);
			for (const origins of [
				[TRUSTED, 'https://evil.example'],
				['https://evil.example', TRUSTED]
			]) {
				const received = await exchange(
					fixture.server,
					[
						`POST ${OUT} HTTP/1.1`,
						'host: x',
						`cookie: ${cookie}`,
						...origins.map((origin) => `origin: ${origin}`),
						'content-type: application/json',
						'content-length: 2',
						'connection: close',
						'',
						'{}'
					].join('\r\n')
				);
				expect([received.split('\r\n', 1)[0], origins]).toEqual([
					expect.stringMatching(/^HTTP\/1\.1 40[03]/),
					origins
				]);
			}
			expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
		});

		test('E18 a bad bearer with a good cookie and a foreign Origin is 403', async () => {
			const { cookie, token } = await signIn(fixture.server);
			for (const authorization of ['Bearer x', `Bearer ${'A'.repeat(43)}`, 'Basic eDp5', '']) {
				const headers = { cookie, authorization };
				const foreign = { ...headers, origin: 'https://evil.example' };
				expect((await call(fixture.server, OUT, { json: {}, headers: foreign })).status).toBe(403);
				expect((await call(fixture.server, OUT, { json: {}, headers })).status).toBe(403);
			}
			// A valid bearer makes the cookie irrelevant, but a page of another site stays untrusted.
			const both = { cookie, ...bearer(token) };
			const foreign = { ...both, origin: 'https://evil.example' };
			expect((await call(fixture.server, OUT, { json: {}, headers: foreign })).status).toBe(403);
			expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
			expect((await call(fixture.server, OUT, { json: {}, headers: both })).status).toBe(200);
		});

		test('F08 a JSON endpoint reads nothing but JSON, also from a trusted origin', async () => {
			const email = newAddress();
			const body = JSON.stringify({ email, type: 'sign-in' });
			for (const type of [
				...['text/plain', 'TEXT/PLAIN', 'application/x-www-form-urlencoded', 'application/jsonx'],
				...['multipart/form-data; boundary=x', 'application/json; charset=utf-7', 'text/json', 'x'],
				...['application/json, text/plain', 'application/problem+json', 'application/json; a=b']
			]) {
				for (const path of [SEND, VERIFY]) {
					const headers = { 'content-type': type, origin: fixture.server.address };
					const answer = await call(fixture.server, path, { method: 'POST', body, headers });
					expect([answer.status, answer.json()]).toEqual([
						415,
						{
							message: `Content-Type "${type}" is not allowed. Allowed types: application/json`,
							code: 'UNSUPPORTED_MEDIA_TYPE'
						}
					]);
				}
			}
			const none = await call(fixture.server, SEND, { method: 'POST', body });
			expect([none.status, none.json()]).toEqual([
				415,
				{
					message: 'Content-Type is required. Allowed types: application/json',
					code: 'UNSUPPORTED_MEDIA_TYPE'
				}
			]);
			await freshCode(fixture.server, newAddress());
			expect(fixture.server.codesSentTo(email)).toBe(0);
			for (const type of ['Application/JSON', 'application/json;charset=UTF-8']) {
				const headers = { 'content-type': type };
				const answer = await call(fixture.server, SEND, { method: 'POST', body, headers });
				expect([answer.status, type]).toEqual([200, type]);
			}
		});

		test('F09 no override of method or action bypasses the gate', async () => {
			const { cookie } = await signIn(fixture.server);
			for (const path of [OUT, `${OUT}?_method=POST`, '/auth/sign-out?_method=POST']) {
				const headers = { cookie, 'x-http-method-override': 'POST' };
				await call(fixture.server, path, { headers });
				await call(fixture.server, path, { method: 'HEAD', headers });
			}
			expect(await whoIs(fixture.server, { cookie })).not.toBeNull();
		});

		test('F10 reading anything changes nothing', async () => {
			const { cookie } = await signIn(fixture.server);
			await freshCode(fixture.server, newAddress());
			const before = await fixture.database.dump();
			for (const path of [SEND, VERIFY, OUT, ME, '/app', '/auth/sign-out', '/auth/sign-in', '/']) {
				for (const method of ['GET', 'HEAD', 'OPTIONS']) {
					await call(fixture.server, path, { method, headers: { cookie } });
					await call(fixture.server, `${path}?/request&email=x@example.com`, { method });
				}
			}
			expect(await fixture.database.dump()).toEqual(before);
		});

		test('F13 a page of another site can neither use a code nor its attempts', async () => {
			const email = newAddress();
			const code = await freshCode(fixture.server, email);
			for (const origin of [
				'https://evil.example',
				'null',
				'https://evil.example',
				'null',
				'x',
				'y'
			]) {
				const answer = await verifyCode(fixture.server, email, code, { origin });
				expect([answer.status, answer.setCookies]).toEqual([403, []]);
			}
			expect((await verifyCode(fixture.server, email, code)).status).toBe(200);
		});

		test('F14 Host and forwarded headers do not change the server’s own address (GHSA-3529-5m8x-rpv3)', async () => {
			const spoofed = {
				host: 'evil.example',
				'x-forwarded-host': 'evil.example',
				'x-forwarded-proto': 'https',
				'x-forwarded-port': '443',
				forwarded: 'host=evil.example;proto=https',
				'x-postern-protocol': 'https',
				'x-original-url': '/api/auth/ok',
				'x-rewrite-url': '/api/auth/ok'
			};
			const { cookie } = await signIn(fixture.server);
			const own = { ...spoofed, cookie, origin: 'https://evil.example' };
			expect((await call(fixture.server, OUT, { json: {}, headers: own })).json()).toEqual(INVALID);
			const page = await call(fixture.server, '/app', { headers: spoofed });
			expect([page.status, page.headers.location]).toEqual([
				303,
				'/auth/sign-in?redirectTo=%2Fapp'
			]);

			const email = newAddress();
			const sent = await sendCode(fixture.server, email, spoofed);
			expect(sent.status).toBe(200);
			const code = await fixture.server.codeFor(email);
			const done = await verifyCode(fixture.server, email, code, spoofed);
			expect(done.status).toBe(200);
			expect(present(done.setCookies[0])).toMatch(/^postern_session=/);
			expect(done.setCookies.join()).not.toMatch(/secure|domain/i);
			for (const path of ['/auth/sign-in', '/no-such', '/auth/no-such']) {
				const { text, headers } = await call(fixture.server, path, { headers: spoofed });
				expect(text + JSON.stringify(headers)).not.toContain('evil.example');
			}
			const real = { ...spoofed, cookie, origin: fixture.server.address };
			expect((await call(fixture.server, OUT, { json: {}, headers: real })).status).toBe(200);
		});

		test('F14 the server does not keep the host that the first request claimed (GHSA-569q-mpph-wgww)', async () => {
			const browser = openBrowser(fixture.server);
			const email = newAddress();
			const response = await browser.post('/auth/sign-in?/request', {
				email,
				__superform_id: 'email'
			});
			expect(response.status).toBe(303);
			expect(response.headers.location).toBe('/auth/sign-in');
		});
	},
	{ env: { AUTH_TRUSTED_ORIGINS: TRUSTED } }
);
