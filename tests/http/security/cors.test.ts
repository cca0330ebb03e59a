import type { OutgoingHttpHeaders } from 'node:http';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	sendCode,
	signIn,
	tally,
	times,
	verifyCode,
	API,
	ME,
	OUT,
	SEND,
	VERIFY,
	type Answer
} from '../../support/http/client.ts';
import { builtRoutes, pathOf } from '../../support/http/routes.ts';
import { openTcpGate, type TcpGate } from '../../support/postgres/tcp-gate.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';

const TRUSTED = 'https://app.example.com';
const SHELLS = ['capacitor://localhost', 'ionic://localhost', 'http://localhost'];
const EVIL = 'https://evil.example';
const STRANGERS = [
	...[EVIL, 'null', '*', '', 'https://localhost', `${TRUSTED}.evil.io`, `${TRUSTED}/`, 'file://'],
	...[`${TRUSTED}:8443`, 'http://app.example.com', 'capacitor://evil', 'http://localhost:1']
];

/** By the wire contract: the headers of every answer to a trusted origin. */
const GRANTED = (origin: string): Readonly<Record<string, string>> => ({
	'access-control-allow-origin': origin,
	'access-control-allow-credentials': 'true',
	'access-control-expose-headers': 'set-auth-token, Retry-After, X-Retry-After'
});
const corsOf = ({ headers }: Answer): Readonly<Record<string, unknown>> =>
	Object.fromEntries(
		Object.entries(headers).filter(([name]) => name.startsWith('access-control-'))
	);
const preflight = (origin: string, method = 'POST'): OutgoingHttpHeaders => ({
	origin,
	'access-control-request-method': method,
	'access-control-request-headers': 'authorization,content-type'
});

onOneServer(
	(fixture) => {
		const own = (): string[] => [fixture.server.address, TRUSTED, ...SHELLS];

		test('G01 a preflight from a trusted origin gets that origin and the needed methods and headers, for a finite time, on every route of the API', async () => {
			const paths = (await builtRoutes()).map(({ id }) => pathOf(id));
			const api = [...paths.filter((path) => path.startsWith('/api')), '/api', `${API}/no/such`];
			for (const origin of own()) {
				for (const path of api) {
					const answer = await call(fixture.server, path, {
						method: 'OPTIONS',
						headers: preflight(origin)
					});
					expect([answer.status, answer.text, path]).toEqual([204, '', path]);
					expect(corsOf(answer)).toEqual({
						...GRANTED(origin),
						'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
						'access-control-allow-headers':
							'content-type, authorization, x-postern-client, x-postern-proof',
						'access-control-max-age': '600'
					});
					expect(answer.headers.vary).toMatch(/\bOrigin\b/);
					expect(answer.setCookies).toEqual([]);
				}
			}
		});

		test('G01 G02 a preflight from any other origin gets no header that allows access', async () => {
			for (const origin of STRANGERS) {
				for (const path of [SEND, ME, '/api/hello', `${API}/no-such`]) {
					const headers = preflight(origin);
					const answer = await call(fixture.server, path, { method: 'OPTIONS', headers });
					expect([answer.status, corsOf(answer), origin]).toEqual([204, {}, origin]);
					expect(answer.headers.vary).toMatch(/\bOrigin\b/);
				}
			}
			const noOrigin = await call(fixture.server, SEND, {
				method: 'OPTIONS',
				headers: { 'access-control-request-method': 'POST' }
			});
			expect([noOrigin.status, corsOf(noOrigin)]).toEqual([204, {}]);
		});

		test('G01 the origin is sent back as it came where only its spelling differs', async () => {
			for (const origin of ['HTTPS://APP.EXAMPLE.COM', 'https://app.example.com:443']) {
				const answer = await call(fixture.server, ME, { headers: { origin } });
				expect(corsOf(answer)).toEqual(GRANTED(origin));
			}
		});

		/** One answer of each kind that an endpoint gives, for a request with this `origin`. */
		const answersTo = async (origin: string): Promise<readonly (readonly [number, Answer])[]> => {
			const headers = { origin };
			const { token } = await signIn(fixture.server);
			const post = (path: string, options: object): Promise<Answer> =>
				call(fixture.server, path, { method: 'POST', headers, ...options });
			const throttled = newAddress();
			await Promise.all(times(5, () => sendCode(fixture.server, throttled)));
			const client = { ...headers, 'x-forwarded-for': `198.51.100.${origin.length}` };
			await Promise.all(times(100, () => call(fixture.server, ME, { headers: client })));
			return [
				[200, await call(fixture.server, ME, { headers })],
				[
					200,
					await call(fixture.server, '/api/hello', { headers: { ...headers, ...bearer(token) } })
				],
				[200, await call(fixture.server, `${API}/ok`, { headers })],
				[200, await call(fixture.server, `${API}/ok`, { method: 'HEAD', headers })],
				[401, await call(fixture.server, '/api/hello', { headers })],
				[401, await call(fixture.server, '/api/no-such', { headers })],
				[404, await call(fixture.server, `${API}/no-such`, { headers })],
				[
					404,
					await call(fixture.server, '/api/no-such', { headers: { ...headers, ...bearer(token) } })
				],
				[405, await call(fixture.server, SEND, { headers })],
				[405, await call(fixture.server, SEND, { method: 'OPTIONS', headers })],
				[400, await call(fixture.server, '/api/auth/%zz', { headers })],
				[429, await call(fixture.server, ME, { headers: client })],
				...(own().includes(origin)
					? ([
							[403, await post(VERIFY, { json: await exhausted() })],
							[405, await call(fixture.server, ME, { method: 'PUT', headers })],
							[
								400,
								await post(SEND, {
									body: '{',
									headers: { ...headers, 'content-type': 'application/json' }
								})
							],
							[400, await post(VERIFY, { json: {} })],
							[413, await post(SEND, { json: { email: 'x'.repeat(70_000) } })],
							[415, await post(SEND, { body: 'x' })],
							[429, await post(SEND, { json: { email: throttled } })],
							[200, await post(OUT, { json: {} })]
						] as const)
					: ([
							[403, await post(VERIFY, { json: { email: newAddress(), otp: '123456' } })],
							[403, await call(fixture.server, ME, { method: 'PUT', headers })],
							[403, await post(OUT, { json: {} })]
						] as const))
			];
		};
		/** An email address and a code with no attempts left. */
		const exhausted = async (): Promise<{ email: string; otp: string }> => {
			const email = newAddress();
			const otp = await freshCode(fixture.server, email);
			const wrong = otp === '111111' ? '222222' : '111111';
			for (let guess = 0; guess < 5; guess += 1) await verifyCode(fixture.server, email, wrong);
			return { email, otp };
		};

		test('G02 G04 a trusted origin can read every answer, errors included, with its Retry-After', async () => {
			for (const origin of [fixture.server.address, TRUSTED, ...SHELLS.slice(0, 2)]) {
				for (const [status, answer] of await answersTo(origin)) {
					expect([answer.status, answer.text.slice(0, 80)]).toEqual([status, expect.any(String)]);
					expect([corsOf(answer), status]).toEqual([GRANTED(origin), status]);
					expect(answer.headers.vary).toMatch(/\bOrigin\b/);
					if (status === 429) expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
				}
			}
		});

		test('G02 no answer to any other origin has a CORS header, and none is ever * or null', async () => {
			for (const origin of [EVIL, 'null', 'http://app.example.com']) {
				for (const [status, answer] of await answersTo(origin)) {
					expect([answer.status, origin]).toEqual([status, origin]);
					expect([corsOf(answer), status]).toEqual([{}, status]);
				}
			}
			const none = await call(fixture.server, ME);
			expect(corsOf(none)).toEqual({});
		});

		test('G03 an app shell can read the token header of a sign-in; an untrusted origin gets neither header nor token', async () => {
			for (const origin of [TRUSTED, ...SHELLS]) {
				const email = newAddress();
				const otp = await freshCode(fixture.server, email);
				const answer = await verifyCode(fixture.server, email, otp, { origin });
				const { token } = answer.json() as { token: string };
				expect([answer.status, answer.headers['set-auth-token']]).toEqual([200, token]);
				expect(corsOf(answer)).toEqual(GRANTED(origin));
			}
			const email = newAddress();
			const otp = await freshCode(fixture.server, email);
			const refused = await verifyCode(fixture.server, email, otp, { origin: EVIL });
			expect([refused.status, refused.setCookies, corsOf(refused)]).toEqual([403, [], {}]);
			expect(refused.headers['set-auth-token']).toBeUndefined();
		});

		test('G05 preflights look up no session, query no database and leave the client’s limit unchanged', async () => {
			const { token } = await signIn(fixture.server);
			const client = { 'x-forwarded-for': '203.0.113.77' };
			const before = await fixture.database.dump();
			const answers = await Promise.all(
				times(150, () =>
					call(fixture.server, ME, {
						method: 'OPTIONS',
						headers: { ...preflight(TRUSTED, 'GET'), ...bearer(token), ...client }
					})
				)
			);
			// Without work for the server, but limited.
			expect(tally(answers.map(({ status }) => status))).toEqual({ 204: 100, 429: 50 });
			expect(await fixture.database.dump()).toEqual(before);
			const calls = await Promise.all(
				times(100, () => call(fixture.server, ME, { headers: client }))
			);
			expect(calls.filter(({ status }) => status !== 200)).toEqual([]);
		});

		test('G05 pages, their forms and data, assets and static files send no CORS header', async () => {
			const page = await call(fixture.server, '/auth/sign-in');
			const asset = present(/\/?_app\/immutable\/[\w./-]+\.js/.exec(page.text))[0].replace(
				/^\/?/,
				'/'
			);
			for (const path of [
				...[
					'/',
					'/app',
					'/auth/sign-in',
					'/auth/sign-in/__data.json',
					'/auth/sign-out',
					'/no-such'
				],
				...['/favicon.svg', '/plain-page.css', asset, '/_app/no-such.js', '/%zz', '/apiary']
			]) {
				for (const origin of [TRUSTED, 'capacitor://localhost', EVIL]) {
					for (const headers of [{ origin }, preflight(origin)]) {
						const method = 'access-control-request-method' in headers ? 'OPTIONS' : 'GET';
						const answer = await call(fixture.server, path, { method, headers });
						expect([corsOf(answer), path, method]).toEqual([{}, path, method]);
					}
				}
			}
		});
	},
	{ AUTH_TRUSTED_ORIGINS: TRUSTED }
);

describe('with the database down', () => {
	let server: BuiltServer;
	let gate: TcpGate;
	let url: string;

	beforeAll(async () => {
		url = await createDatabase(inject('postgresUrl'));
		gate = await openTcpGate(Number(new URL(url).port));
		const through = new URL(url);
		through.port = String(gate.port);
		server = await startBuiltServer({
			databaseUrl: through.href,
			env: { AUTH_TRUSTED_ORIGINS: TRUSTED }
		});
		await gate.shut();
	});
	afterAll(async () => {
		await server.stop();
		await dropDatabase(inject('postgresUrl'), url);
	});

	test('G04 G05 trusted origins and no others can read a 503 with its Retry-After, and a preflight is answered as usual', async () => {
		const credential = bearer('A'.repeat(43));
		for (const [origin, cors] of [
			[TRUSTED, GRANTED(TRUSTED)],
			['ionic://localhost', GRANTED('ionic://localhost')],
			[EVIL, {}]
		] as const) {
			for (const path of [ME, '/api/hello']) {
				const answer = await call(server, path, { headers: { origin, ...credential } });
				expect([answer.status, corsOf(answer), path]).toEqual([503, cors, path]);
				expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
				expect(answer.headers.vary).toMatch(/\bOrigin\b/);
			}
			const headers = preflight(origin);
			const response = await call(server, SEND, { method: 'OPTIONS', headers });
			expect([response.status, corsOf(response)['access-control-allow-origin']]).toEqual([
				204,
				cors['access-control-allow-origin' as keyof typeof cors]
			]);
		}
		const sent = await sendCode(server, newAddress(), { origin: TRUSTED });
		expect([sent.status, corsOf(sent)]).toEqual([503, GRANTED(TRUSTED)]);
	});
});
