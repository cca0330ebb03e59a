import { expect, test } from 'vitest';
import { bearer, ME, newAddress, SEND, signIn, VERIFY } from '../../support/web/sign-in.ts';
import { aSite, ORIGIN } from '../../support/web/site.ts';
import type { Answer, ApiCall } from '../../support/web/visitor.ts';

const TRUSTED = 'https://web.example.org';
const SHELLS = ['capacitor://localhost', 'ionic://localhost', 'http://localhost'];
const EVIL = 'https://evil.example';
const STRANGERS = [EVIL, 'null', '*', '', `${TRUSTED}.evil.io`, `${TRUSTED}:8443`];
const SETTINGS = { AUTH_TRUSTED_ORIGINS: TRUSTED };
const OUT = '/api/auth/sign-out';

/** By the wire contract: the headers of every answer to a trusted origin. */
const GRANTED = (origin: string): Readonly<Record<string, string>> => ({
	'access-control-allow-origin': origin,
	'access-control-allow-credentials': 'true',
	'access-control-expose-headers': 'set-auth-token, Retry-After, X-Retry-After'
});
const corsOf = ({ headers }: Answer): Readonly<Record<string, string>> =>
	Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')));

test('G01 G02 G05 a preflight of the API needs no query, and permits the needed methods and headers for a finite time to trusted origins only', async () => {
	const site = await aSite(SETTINGS);
	const ask = (path: string, origin: string, method = 'OPTIONS') =>
		site.visitor().call(path, {
			method,
			headers: { origin, 'access-control-request-method': 'POST' }
		});
	const paths = [SEND, ME, '/api/hello', '/api', '/api/auth/no/such', '/api/unsubscribe/x'];
	const queries = await site.queriesOf(async () => {
		for (const path of paths) {
			for (const origin of [ORIGIN, TRUSTED, ...SHELLS, TRUSTED.toUpperCase()]) {
				const answer = await ask(path, origin);
				expect([answer.status, answer.text, answer.setCookies]).toEqual([204, '', []]);
				expect(corsOf(answer)).toEqual({
					...GRANTED(origin),
					'access-control-allow-methods': 'GET, POST, DELETE, OPTIONS',
					'access-control-allow-headers':
						'content-type, authorization, x-postern-client, x-postern-proof',
					'access-control-max-age': '600'
				});
			}
			for (const origin of STRANGERS) {
				const answer = await ask(path, origin);
				expect([answer.status, corsOf(answer), origin]).toEqual([204, {}, origin]);
			}
		}
	});
	expect(queries).toEqual([]);
	// Neither another method, nor a page, nor an OPTIONS request of another kind is one.
	expect((await ask(ME, TRUSTED, 'GET')).text).toBe('null');
	expect((await ask('/auth/sign-in', TRUSTED)).status).toBe(200);
	const plain = { method: 'OPTIONS', headers: { origin: TRUSTED } };
	expect((await site.visitor().call(ME, plain)).status).toBe(405);
});

test.each([TRUSTED, 'capacitor://localhost', EVIL, 'null'])(
	'G02 G04 %s can read every answer, errors with their Retry-After included, if it is trusted, and none otherwise',
	async (origin) => {
		const site = await aSite(SETTINGS);
		const { token } = await signIn(site);
		const isTrusted = !STRANGERS.includes(origin);
		const [busy, other] = [site.visitor(), site.visitor()];
		for (let sent = 0; sent < 100; sent += 1) await busy.call(ME);
		const json = { email: newAddress(), otp: '123456' };
		const calls: readonly (readonly [number, string, ApiCall?])[] = [
			[200, ME],
			[200, '/api/hello', { headers: bearer(token) }],
			[401, '/api/hello'],
			[404, '/api/auth/no-such'],
			[405, SEND],
			[400, '/api/auth/%zz'],
			[429, ME],
			[isTrusted ? 400 : 403, VERIFY, { json }],
			[isTrusted ? 413 : 403, SEND, { json: { email: 'x'.repeat(70_000) } }],
			[isTrusted ? 415 : 403, SEND, { body: 'x' }],
			[isTrusted ? 200 : 403, OUT, { json: {} }],
			[503, ME, { headers: bearer('A'.repeat(43)) }]
		];
		for (const [status, path, call = {}] of calls) {
			if (status === 503) site.breakStore('sessions.find');
			const headers = { origin, ...call.headers };
			const answer = await (status === 429 ? busy : other).call(path, { ...call, headers });
			expect([path, answer.status, corsOf(answer)]).toEqual([
				path,
				status,
				isTrusted ? GRANTED(origin) : {}
			]);
			expect(answer.headers.has('retry-after')).toBe([429, 503].includes(status));
		}
	}
);

test('G03 an app shell can read the token header of a sign-in; an untrusted origin gets neither header nor token', async () => {
	const site = await aSite(SETTINGS);
	for (const origin of [TRUSTED, ...SHELLS, EVIL]) {
		const email = newAddress();
		await site.visitor().call(SEND, { json: { email } });
		const json = { email, otp: await site.codeFor(email) };
		const answer = await site.visitor().call(VERIFY, { json, headers: { origin } });
		const { token } = answer.json() as { token?: string };
		expect(answer.headers.get('set-auth-token') ?? undefined).toBe(token);
		expect([answer.status, corsOf(answer), answer.setCookies.length > 0]).toEqual(
			origin === EVIL ? [403, {}, false] : [200, GRANTED(origin), true]
		);
	}
});
