import type { OutgoingHttpHeaders } from 'node:http';
import { expect, test } from 'vitest';
import {
	bearer,
	call,
	freshCode,
	newAddress,
	rounds,
	signIn,
	times,
	verifyCode,
	API,
	ME,
	OUT,
	SEND,
	VERIFY,
	type Answer
} from '../../support/http/client.ts';
import { factsIn } from '../../support/http/database.ts';
import { builtRoutes, pathOf } from '../../support/http/routes.ts';
import { onOneServer, present } from '../../support/http/fixtures.ts';

const TRUSTED = 'https://app.example.com';
const SHELLS = ['capacitor://localhost', 'ionic://localhost', 'http://localhost'];
const EVIL = 'https://evil.example';
const STRANGERS = [EVIL, 'null', '*', '', `${TRUSTED}.evil.io`, `${TRUSTED}:8443`];

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
		test('G01 G05 a preflight from a trusted origin gets that origin and the needed methods and headers, for a finite time, on every route of the API', async () => {
			const paths = (await builtRoutes()).map(({ id }) => pathOf(id));
			const api = [...paths.filter((path) => path.startsWith('/api')), '/api', `${API}/no/such`];
			const own = [fixture.server.address, TRUSTED, ...SHELLS, 'HTTPS://APP.EXAMPLE.COM'];
			const before = await factsIn(fixture.database);
			for (const [number, path] of api.entries()) {
				const origin = present(own[number % own.length]);
				const headers = preflight(origin);
				const answer = await call(fixture.server, path, { method: 'OPTIONS', headers });
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
			expect(await factsIn(fixture.database)).toEqual(before);
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
		});

		/** One answer of each kind that an endpoint gives, for a request with this `origin`. */
		const answersTo = async (origin: string): Promise<readonly (readonly [number, Answer])[]> => {
			const headers = { origin };
			const { token } = await signIn(fixture.server);
			const get = (path: string, more = {}): Promise<Answer> =>
				call(fixture.server, path, { headers: { ...headers, ...more } });
			const post = (path: string, options: object): Promise<Answer> =>
				call(fixture.server, path, { method: 'POST', headers, ...options });
			const client = { 'x-forwarded-for': `198.51.100.${origin.length}` };
			await Promise.all(times(100, () => get(ME, client)));
			const answers: (readonly [number, Answer])[] = [
				[200, await get(ME)],
				[200, await get('/api/hello', bearer(token))],
				[401, await get('/api/hello')],
				[404, await get(`${API}/no-such`)],
				[405, await get(SEND)],
				[400, await get('/api/auth/%zz')],
				[429, await get(ME, client)]
			];
			await fixture.database.rows('alter table session rename to session_gone');
			answers.push([503, await get(ME, bearer('A'.repeat(43)))]);
			await fixture.database.rows('alter table session_gone rename to session');
			const json = { email: newAddress(), otp: '123456' };
			if (STRANGERS.includes(origin)) answers.push([403, await post(VERIFY, { json })]);
			else {
				answers.push([400, await post(VERIFY, { json })]);
				answers.push([413, await post(SEND, { json: { email: 'x'.repeat(70_000) } })]);
				answers.push([415, await post(SEND, { body: 'x' })], [200, await post(OUT, { json: {} })]);
			}
			return answers;
		};

		test.each([TRUSTED, EVIL, 'capacitor://localhost', 'null'].slice(0, rounds(2, 4)))(
			'G02 G04 %s can read every answer, errors with their Retry-After included, if it is trusted, and none otherwise',
			async (origin) => {
				const cors = STRANGERS.includes(origin) ? {} : GRANTED(origin);
				for (const [status, answer] of await answersTo(origin)) {
					expect([answer.status, corsOf(answer)]).toEqual([status, cors]);
					expect(answer.headers.vary).toMatch(/\bOrigin\b/);
					if (status === 429 || status === 503) {
						expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
					}
				}
			}
		);

		test('G03 an app shell can read the token header of a sign-in; an untrusted origin gets neither header nor token', async () => {
			for (const origin of [TRUSTED, ...SHELLS, EVIL]) {
				const email = newAddress();
				const otp = await freshCode(fixture.server, email);
				const answer = await verifyCode(fixture.server, email, otp, { origin });
				const { token } = answer.json() as { token?: string };
				expect(answer.headers['set-auth-token']).toBe(token);
				expect([answer.status, corsOf(answer), answer.setCookies.length > 0]).toEqual(
					origin === EVIL ? [403, {}, false] : [200, GRANTED(origin), true]
				);
			}
		});

		test('G05 pages, their forms and data, assets and static files send no CORS header', async () => {
			const { text } = await call(fixture.server, '/auth/sign-in');
			const [asset] = present(/_app\/immutable\/[\w./-]+\.js/.exec(text));
			for (const path of [
				...['/', '/app', '/auth/sign-in', '/auth/sign-in/__data.json', '/no-such', '/apiary'],
				...['/favicon.svg', `/${asset}`, '/_app/no-such.js', '/%zz']
			]) {
				for (const options of [
					{ headers: { origin: TRUSTED } },
					{ method: 'OPTIONS', headers: preflight(TRUSTED) }
				]) {
					expect([corsOf(await call(fixture.server, path, options)), path]).toEqual([{}, path]);
				}
			}
		});
	},
	{ AUTH_TRUSTED_ORIGINS: TRUSTED }
);
