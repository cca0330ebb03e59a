import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	exchange,
	freshCode,
	me,
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
import { onBothDatabases, present } from '../../support/http/fixtures.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const TOO_LARGE = { message: 'Request body is too large', code: 'PAYLOAD_TOO_LARGE' };
const NO_JSON = { message: 'Invalid JSON in request body', code: 'BAD_REQUEST' };
const HOSTILE = '<script>alert(1)</script>"\'><img src=x onerror=alert(2)>{{7*7}}${7*7}';

onBothDatabases((fixture) => {
	const post = (path: string, body: string | Buffer, headers = {}): Promise<Answer> =>
		call(fixture.server, path, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } });
	const expectAlive = async (): Promise<void> => {
		expect((await call(fixture.server, '/api/auth/ok')).json()).toEqual({ ok: true });
	};
	const isClean = ({ status, text }: Answer): boolean =>
		status >= 400 && status < 500 && text.length < 1024 && !/\bat .+:\d+|node_modules/.test(text);

	test('O01 a body that is not JSON, or JSON of the wrong shape, is 400', async () => {
		const invalidUtf8 = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
		const overlong = Buffer.from([0x22, 0xc0, 0xaf, 0x22]);
		for (const path of [SEND, VERIFY]) {
			for (const body of ['', '{', 'nul', '{"email":}', "{'a':1}", 'NaN', invalidUtf8, overlong]) {
				const answer = await post(path, body);
				expect([answer.status, answer.json(), String(body)]).toEqual([400, NO_JSON, String(body)]);
			}
			for (const body of ['[]', '"x"', '123', 'null', 'true', '{}', '[{"email":"a@b.co"}]']) {
				const answer = await post(path, body);
				expect([answer.status, answer.json(), body]).toEqual([
					400,
					{ message: expect.stringMatching(/^\[body/), code: 'VALIDATION_ERROR' },
					body
				]);
			}
		}
		await expectAlive();
	});

	test('O01 a body over 64 KiB is 413 whether its length is declared or not; one of 64 KiB is read (CVE-2026-40073)', async () => {
		const email = newAddress();
		const bodyOf = (bytes: number): string => {
			const body = JSON.stringify({ email, pad: '' });
			return body.replace('""', `"${'x'.repeat(bytes - body.length)}"`);
		};
		expect((await post(SEND, bodyOf(64 * 1024))).status).toBe(200);
		for (const bytes of [64 * 1024 + 1, 513 * 1024]) {
			const declared = await post(SEND, bodyOf(bytes));
			expect([declared.status, declared.json()]).toEqual([413, TOO_LARGE]);
			const chunked = await call(fixture.server, SEND, {
				method: 'POST',
				body: bodyOf(bytes),
				headers: { ...JSON_TYPE, 'transfer-encoding': 'chunked' }
			});
			expect([chunked.status, chunked.json()]).toEqual([413, TOO_LARGE]);
		}
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(email)).toBe(1);
	});

	test('O01 a request that declares a gigabyte is refused before its body', async () => {
		const received = await exchange(
			fixture.server,
			`POST ${SEND} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n` +
				'content-length: 1073741824\r\n\r\n{"email":'
		);
		expect(received).toMatch(/^HTTP\/1\.1 413 /);
		await expectAlive();
	});

	test('O01 compressed and multipart bodies are not read', async () => {
		const email = newAddress();
		const body = gzipSync(JSON.stringify({ email }));
		const gzip = await post(SEND, body, { 'content-encoding': 'gzip' });
		expect([gzip.status, gzip.json()]).toEqual([400, NO_JSON]);
		const bomb = await post(SEND, gzipSync(Buffer.alloc(10_000_000, 0x20)));
		expect(bomb.status).toBe(400);
		const multipart = await post(SEND, '--x\r\n\r\n--x--', {
			'content-type': 'multipart/form-data; boundary=x'
		});
		expect(multipart.status).toBe(415);
	});

	test('O01 an endpoint without a body ignores any body', async () => {
		for (const [body, type] of [
			['', undefined],
			['{', 'application/json'],
			['x=1', 'application/x-www-form-urlencoded'],
			['x'.repeat(200_000), 'text/plain']
		] as const) {
			const { token } = await signIn(fixture.server);
			const headers = { ...bearer(token), ...(type === undefined ? {} : { 'content-type': type }) };
			const out = await call(fixture.server, OUT, { method: 'POST', body, headers });
			expect([out.status, out.json()]).toEqual([200, { success: true }]);
			expect(await whoIs(fixture.server, bearer(token))).toBeNull();
		}
	});

	test('O02 names of Object.prototype as keys or ids are ignored or not found (GHSA-737v-mqg7-c878, sveltejs/kit#16072, sveltejs/kit#16612, sveltejs/kit#16218)', async () => {
		const email = newAddress();
		const body = `{"__proto__":{"email":"x@evil.com","admin":true},"constructor":{"prototype":{"x":1}},"email":"${email}"}`;
		expect((await post(SEND, body)).status).toBe(200);
		expect((await post(SEND, '{"__proto__":{"email":"x@evil.com"}}')).status).toBe(400);
		for (const name of ['toString', '__proto__', 'constructor', 'hasOwnProperty']) {
			const form = await openBrowser(fixture.server).post(`/auth/sign-in?/${name}`, {
				[name]: 'x'
			});
			expect([form.status, name]).toEqual([404, name]);
			expect((await call(fixture.server, `/api/auth/${name}`)).status).toBe(404);
			expect((await call(fixture.server, `/auth/${name}`)).status).toBe(404);
		}
		const form = await openBrowser(fixture.server).post('/auth/sign-in?/request', {
			'__proto__[x]': '1',
			'constructor[prototype][x]': '1',
			__superform_id: '__proto__'
		});
		expect(form.status).toBe(400);
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo('x@evil.com')).toBe(0);
		await expectAlive();
	});

	test('O03 deep, wide and unusual JSON is answered cleanly', async () => {
		const email = newAddress();
		const keys = Array.from({ length: 6000 }, (_, i) => `"k${i}":1`).join();
		const bodies: readonly (readonly [number, string | Buffer])[] = [
			[400, '['.repeat(30_000) + ']'.repeat(30_000)],
			[400, `{"email":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
			[200, `{${keys},"email":"${email}"}`],
			[413, `{"${'k'.repeat(1_000_000)}":1}`],
			[400, '\ufeff'],
			[400, `{"email":"\ud800@b.co"}`],
			[400, '{"email":"\\ud800@b.co"}'],
			[400, '{"email":"a\\u0000@b.co"}'],
			[400, Buffer.from('7b22656d61696c223a22c0af40622e636f227d', 'hex')]
		];
		for (const [expected, body] of bodies) {
			const answer = await post(SEND, body);
			expect([answer.status, String(body).slice(0, 40)]).toEqual([
				expected,
				String(body).slice(0, 40)
			]);
		}
		await expectAlive();
	});

	test('O03 of a duplicate key the last one counts, for the email and for the limit', async () => {
		const [first, last] = [newAddress(), newAddress()];
		expect((await post(SEND, `{"email":"${first}","email":"${last}"}`)).status).toBe(200);
		await fixture.server.codeFor(last);
		expect(fixture.server.codesSentTo(first)).toBe(0);
		const throttled = await fixture.database.rows(
			`select email from auth_throttle where email in ('${first}', '${last}')`
		);
		expect(throttled.map(({ email }) => email)).toEqual([last]);
	});

	test('O04 undocumented fields change nothing', async () => {
		const email = newAddress();
		const other = await signIn(fixture.server);
		const id = '00000000-0000-7000-8000-000000000001';
		const code = await freshCode(fixture.server, email);
		const answer = await call(fixture.server, VERIFY, {
			json: {
				...{ email, otp: code, id, role: 'admin', isAdmin: true, emailVerified: false, userId: id },
				...{ createdAt: '2000-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' },
				...{ token: other.token, purpose: 'email_change', browser: 'x', attempts: -5, name: 'Ada' },
				...{ session: { userId: id }, user: { email: other.email }, marketingOptIn: true }
			}
		});
		const { user, token } = answer.json() as { user: Record<string, unknown>; token: string };
		expect(Object.keys(user).sort()).toEqual([
			...['createdAt', 'email', 'emailVerified', 'id', 'image', 'name', 'updatedAt']
		]);
		expect(user).toMatchObject({ email, emailVerified: true, name: 'Ada', image: null });
		expect(user['id']).not.toBe(id);
		expect(Date.parse(String(user['createdAt']))).toBeGreaterThan(Date.parse('2025-01-01'));
		expect(token).not.toBe(other.token);
		const session = present(await me(fixture.server, bearer(token))).session;
		const life =
			Date.parse(String(session['expiresAt'])) - Date.parse(String(session['createdAt']));
		expect(life).toBe(60 * 86_400_000);
		expect(await whoIs(fixture.server, bearer(other.token))).toBe(other.email);
	});

	test('O04 name and image apply only when the account is created', async () => {
		const email = newAddress();
		const signInAs = async (extra: object) => {
			const otp = await freshCode(fixture.server, email);
			const answer = await call(fixture.server, VERIFY, { json: { email, otp, ...extra } });
			return (answer.json() as { user: Record<string, unknown> }).user;
		};
		const image = 'https://example.com/ada.png';
		expect(await signInAs({ name: 'Ada', image })).toMatchObject({ name: 'Ada', image });
		expect(await signInAs({ name: 'Eve', image: null })).toMatchObject({ name: 'Ada', image });
	});

	test('O05 malformed requests get a 4xx or a closed connection, and the server stays up', async () => {
		const head = 'host: x\r\nconnection: close\r\n';
		const requests: Readonly<Record<string, string>> = {
			'a GET with a body': `GET ${ME} HTTP/1.1\r\n${head}content-length: 5\r\n\r\nhello`,
			TRACE: `TRACE /app HTTP/1.1\r\n${head}\r\n`,
			CONNECT: `CONNECT evil.example:443 HTTP/1.1\r\n${head}\r\n`,
			'an unknown method': `FOO /app HTTP/1.1\r\n${head}\r\n`,
			'an absolute form': `GET http://evil.example/app HTTP/1.1\r\n${head}\r\n`,
			'an asterisk': `OPTIONS * HTTP/1.1\r\n${head}\r\n`,
			'a header of 20 KB': `GET /app HTTP/1.1\r\n${head}x: ${'x'.repeat(20_000)}\r\n\r\n`,
			'2,000 headers': `GET /app HTTP/1.1\r\n${head}${'x: y\r\n'.repeat(2_100)}\r\n`,
			'no Host': 'GET /app HTTP/1.1\r\nconnection: close\r\n\r\n',
			'a space in the path': `GET /a b HTTP/1.1\r\n${head}\r\n`,
			'another protocol': 'GET /app HTTP/3.7\r\n\r\n',
			noise: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
			'O06 two lengths': `POST ${OUT} HTTP/1.1\r\n${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
			'O06 a length and chunks': `POST ${OUT} HTTP/1.1\r\n${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
			'O06 obfuscated chunks': `POST ${OUT} HTTP/1.1\r\n${head}transfer-encoding: xchunked\r\n\r\n0\r\n\r\n`,
			'O06 bare line feeds': 'GET /app HTTP/1.1\nhost: x\nconnection: close\n\n'
		};
		for (const [name, request] of Object.entries(requests)) {
			const received = await exchange(fixture.server, request);
			const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1] ?? 0);
			// A GET body is skipped, and the parser drops headers beyond its limit; neither has an
			// effect.
			const expected = /^(?:a GET|2,000)/.test(name)
				? [0, 200, 303, 400, 413, 431]
				: [0, 400, 413, 431];
			expect([name, expected.includes(status), status]).toEqual([name, true, status]);
			expect(received).not.toMatch(/node_modules|\bat .+:\d+:\d+/);
			await expectAlive();
		}
	});

	test('O05 a path that cannot be decoded is 400 on every route, and the server stays up', async () => {
		const { cookie } = await signIn(fixture.server);
		const paths = [
			'/%zz',
			'/%',
			'/app/%c0%af',
			'/auth/%ff',
			'/api/%zz',
			'/api/auth/%e4',
			'/_app/%zz'
		];
		for (const path of paths) {
			for (const method of ['GET', 'POST', 'HEAD', 'DELETE']) {
				for (const headers of [{}, { cookie, origin: fixture.server.address }]) {
					const answer = await call(fixture.server, path, { method, headers });
					expect([answer.status, method, path]).toEqual([400, method, path]);
					expect(answer.headers['x-content-type-options']).toBe('nosniff');
				}
			}
		}
		await expectAlive();
	});

	test('O05 unusual headers cause no errors (sveltejs/kit@82712fc02c)', async () => {
		const { token } = await signIn(fixture.server);
		for (const headers of [
			{ accept: `${'text/html;q=0.1,'.repeat(800)}` },
			{ accept: '*'.repeat(8000) },
			{ 'accept-language': ','.repeat(8000) },
			{ 'content-length': '0' },
			{ referer: 'x'.repeat(8000) },
			{ 'user-agent': '' },
			{ 'x-forwarded-for': 'x, , 1.2.3.4:99, [::1]:80, unknown' },
			{ 'x-forwarded-for': '' },
			{ 'if-none-match': '*', 'if-modified-since': 'x', range: 'bytes=0-0' },
			{ 'x-sveltekit-error': 'true' },
			{ 'x-sveltekit-action': 'true' }
		]) {
			const answer = await call(fixture.server, ME, { headers: { ...headers, ...bearer(token) } });
			expect(answer.status).toBe(200);
			for (const path of ['/app', '/auth/sign-in', '/auth/nope', '/nope']) {
				expect((await call(fixture.server, path, { headers })).status).toBeLessThan(500);
			}
		}
	});

	test('N05 O07 a user agent of arbitrary bytes is stored as text and cut at 512 characters', async () => {
		const email = newAddress();
		const code = await freshCode(fixture.server, email);
		const agent = `'; drop table session; -- \x1b[31m ${HOSTILE} ${'u'.repeat(3000)}`.replace(
			'\x1b',
			''
		);
		const answer = await verifyCode(fixture.server, email, code, { 'user-agent': agent });
		const { token } = answer.json() as { token: string };
		const { session } = present(await me(fixture.server, bearer(token)));
		expect(session['userAgent']).toBe(agent.slice(0, 512));
		expect(fixture.server.output()).not.toContain('drop table');
	});

	test('O07 SQL metacharacters, NUL and numbers out of range are plain values in every field', async () => {
		const texts = ["' or '1'='1", '%', '_', '\\', '"; drop table "user"; --', '\0', '1e999', 'NaN'];
		const values = [
			...texts,
			1e308,
			-1,
			2 ** 53,
			[],
			{},
			[[]],
			false,
			null,
			'2026-01-01T00:00:00Z'
		];
		for (const value of values) {
			for (const [path, json] of [
				[SEND, { email: value, type: 'sign-in' }],
				[SEND, { email: newAddress(), type: value === null ? 5 : value }],
				[VERIFY, { email: value, otp: '123456' }],
				[VERIFY, { email: newAddress(), otp: value }]
			] as const) {
				const answer = await call(fixture.server, path, { json });
				expect([isClean(answer), path, value]).toEqual([true, path, value]);
			}
		}
		const email = newAddress();
		const otp = await freshCode(fixture.server, email);
		for (const extra of [
			{ name: 'a\0b' },
			{ name: 5 },
			{ name: 'x'.repeat(201) },
			{ image: '\0' },
			{ image: 7 },
			{ name: '\ud800' },
			{ name: 'Ada\u202eecalevoL' },
			{ name: 'Ada\r\nLovelace' }
		]) {
			const answer = await call(fixture.server, VERIFY, { json: { email, otp, ...extra } });
			expect([answer.status, (answer.json() as { code: string }).code]).toEqual([
				400,
				'VALIDATION_ERROR'
			]);
		}
		const named = { email, otp, name: 'Robert\'); drop table "user";-- 😀' };
		const answer = await call(fixture.server, VERIFY, { json: named });
		expect((answer.json() as { user: { name: string } }).user.name).toBe(named.name);
	});

	test('L03 hostile paths, parameters, names and messages are text on every page, error pages included (CVE-2025-32388, CVE-2024-53261, CVE-2024-53262)', async () => {
		const hostile = encodeURIComponent(HOSTILE);
		const raw = HOSTILE.replaceAll(' ', '%20').replaceAll('"', '%22');
		const email = newAddress();
		const otp = await freshCode(fixture.server, email);
		const done = await call(fixture.server, VERIFY, { json: { email, otp, name: HOSTILE } });
		const { token } = done.json() as { token: string };
		const pages = [
			...[`/auth/${hostile}`, `/auth/${raw}`, `/${hostile}`, `/app?${hostile}=${hostile}`, '/app'],
			...[`/auth/sign-in?${hostile}=${hostile}`, `/auth/sign-in?redirectTo=${hostile}`, `/${raw}`],
			...[`/auth/sign-up?redirectTo=/${hostile}&step=${hostile}&resent=${hostile}`, `/api/${raw}`],
			...[`/auth/sign-in/__data.json?x-sveltekit-invalidated=${hostile}`, '/auth/sign-out']
		];
		for (const path of pages) {
			for (const headers of [{ accept: 'text/html' }, { accept: 'text/html', ...bearer(token) }]) {
				const { text, headers: got, status } = await call(fixture.server, path, { headers });
				expect([status < 500, path]).toEqual([true, path]);
				if (!got['content-type']?.startsWith('text/html')) continue;
				expect([text.includes('<script>alert'), text.includes('<img src=x'), path]).toEqual([
					...[false, false],
					path
				]);
			}
		}
		for (const [action, fields] of [
			['request', { email: HOSTILE, __superform_id: 'email' }],
			['verify', { email: HOSTILE, code: HOSTILE, __superform_id: 'code' }],
			['resend', { email: HOSTILE, __superform_id: 'resend' }],
			['request', { email: HOSTILE, __superform_id: HOSTILE }],
			[hostile, { email }]
		] as const) {
			const page = await openBrowser(fixture.server).post(
				`/auth/sign-in?/${action}&${hostile}=1`,
				fields
			);
			expect([page.status === 400 || page.status === 404, action]).toEqual([true, action]);
			expect(page.text).not.toMatch(/<script>alert|<img src=x/);
		}
		const refused = await call(fixture.server, SEND, {
			method: 'POST',
			body: '{}',
			headers: { 'content-type': HOSTILE }
		});
		expect([refused.status, refused.headers['content-type']]).toEqual([415, 'application/json']);
		expect((await sendCode(fixture.server, email)).status).toBe(200);
	});
});
