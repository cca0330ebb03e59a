import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { openBrowser, textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	newAddress,
	sendCode,
	signIn,
	verifyCode,
	whoIs,
	ME,
	OUT,
	type SignedIn
} from '../../support/http/client.ts';
import { openDatabase, type Database } from '../../support/http/database.ts';

const UNAVAILABLE = { message: 'Service unavailable', code: 'SERVICE_UNAVAILABLE' };
const STACK =
	/\bat .+:\d+:\d+|node_modules|SQLITE|ECONN(?:REFUSED|RESET|ABORTED|ECTION)|postgres|select |update /i;

describe('a database that fails', () => {
	let server: BuiltServer;
	let database: Database;
	let user: SignedIn;

	const TABLES = ['session', 'verification', 'auth_throttle'];
	const breakIt = async (): Promise<void> => {
		for (const table of TABLES)
			await database.rows(`alter table "${table}" rename to "${table}_gone"`);
	};
	const mendIt = async (): Promise<void> => {
		for (const table of TABLES)
			await database.rows(`alter table "${table}_gone" rename to "${table}"`);
	};

	beforeAll(async () => {
		server = await startBuiltServer();
		database = openDatabase(server.databaseUrl);
		user = await signIn(server);
	});

	afterAll(async () => {
		const code = await server.stop();
		await database.close();
		// M14: SIGTERM also ends the server in time after an error.
		expect(code).toBe(0);
	}, 30_000);

	test('E22 M08 P04 protected pages and the API answer 503, public pages are served, nothing private is shown, and the server recovers by itself (GHSA-8fpg-xm3f-6cx3)', async () => {
		const browser = openBrowser(server);
		const email = newAddress();
		await browser.post('/auth/sign-in?/request', { email, __superform_id: 'email' });
		const code = await server.codeFor(email);
		await breakIt();
		try {
			for (const path of ['/app', '/app/__data.json', '/no-such-page', '/auth/%2e%2e/app']) {
				const page = await call(server, path, {
					headers: { cookie: user.cookie, accept: 'text/html' }
				});
				expect([page.status, path]).toEqual([503, path]);
				expect(page.text).not.toContain(user.email);
				expect(page.text).not.toMatch(STACK);
				expect(page.headers['cache-control']).toContain('no-store');
			}
			for (const headers of [{ cookie: user.cookie }, bearer(user.token)]) {
				for (const path of [ME, '/api/hello', '/api/no-such']) {
					const answer = await call(server, path, { headers });
					expect([answer.status, answer.json(), path]).toEqual([503, UNAVAILABLE, path]);
					expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
				}
			}
			const out = await call(server, OUT, { json: {}, headers: bearer(user.token) });
			const posts = [
				out,
				await sendCode(server, newAddress()),
				await verifyCode(server, email, code)
			];
			expect(posts.map((answer) => [answer.status, answer.json()])).toEqual(
				posts.map(() => [503, UNAVAILABLE])
			);
			expect(posts.flatMap(({ setCookies }) => setCookies)).toEqual([]);

			for (const [action, fields] of [
				['request', { email: newAddress(), __superform_id: 'email' }],
				['verify', { email, code, __superform_id: 'code' }]
			] as const) {
				const page = await browser.post(`/auth/sign-in?/${action}`, fields);
				expect([page.status, action]).toEqual([503, action]);
				expect(page.headers['retry-after']).toMatch(/^\d+$/);
				expect(page.headers['content-type']).toMatch(/^text\/html/);
				expect(page.text).not.toMatch(STACK);
				expect(textOf(page.text)).toMatch(/unavailable/i);
			}
			for (const headers of [{}, { cookie: user.cookie }]) {
				expect((await call(server, '/auth/sign-in', { headers })).status).toBe(200);
			}
			// An unauthenticated request without a credential needs no session lookup.
			expect((await call(server, '/app')).status).toBe(303);
			expect((await call(server, '/api/auth/ok')).json()).toEqual({ ok: true });
			expect((await call(server, '/%zz', { headers: { cookie: user.cookie } })).status).toBe(400);
		} finally {
			await mendIt();
		}
		await expect
			.poll(() =>
				call(server, ME, { headers: { cookie: user.cookie } }).then(({ status }) => status)
			)
			.toBe(200);
		expect(await whoIs(server, { cookie: user.cookie })).toBe(user.email);
		// Requests that the error interrupted left no partial state: the code is pending, with all its
		// attempts.
		const done = await browser.post('/auth/sign-in?/verify', {
			email,
			code,
			__superform_id: 'code'
		});
		expect([done.status, done.headers.location]).toEqual([303, '/app']);
		expect(server.output()).not.toContain(user.token);
	});
});
