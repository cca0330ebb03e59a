import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, caddy, nginx, startApplication, type RunningProxy } from './proxies.ts';
import { bearer, call, OUT, signIn } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { freePort } from '../../support/process/free-port.ts';

const NAVIGATION = { 'sec-fetch-mode': 'navigate', accept: 'text/html' };
const WEBSOCKET = {
	connection: 'Upgrade',
	upgrade: 'websocket',
	'sec-websocket-version': '13',
	'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ=='
};
const forwarded = { 'x-forwarded-method': 'GET', 'x-forwarded-uri': '/' };
const portOf = (address: string): number => Number(new URL(address).port);
const UPLOAD = 100 * 1024 * 1024;

for (const proxy of [nginx, caddy]) {
	const listen = await freePort();
	const origin = `http://localhost:${listen}`;
	const name = `behind ${proxy.name}${proxy.isInstalled ? '' : ', which is not installed'}`;

	describe.skipIf(!proxy.isInstalled)(name, () => {
		onOneServer(
			(fixture) => {
				let application: Awaited<ReturnType<typeof startApplication>>;
				let running: RunningProxy;
				let person: Awaited<ReturnType<typeof signIn>>;
				beforeAll(async () => {
					application = await startApplication();
					const postern = portOf(fixture.server.address);
					running = await proxy.start({ listen, postern, application: application.port });
					person = await signIn(fixture.server, 'ada@example.org');
				});
				afterAll(async () => {
					await running.stop();
					application.stop();
				});
				const get = (path: string, headers: Readonly<Record<string, string | string[]>> = {}) =>
					ask(listen, path, { headers });

				test('the application gets the identity, and its own cookies only', async () => {
					const name = { name: 'Ada “L” Łovelace' };
					const headers = bearer(person.token);
					await call(fixture.server, '/api/auth/update-user', { json: name, headers });
					const cookie = `theme=dark; ${person.cookie}; postern_cache=x; __Host-postern_session=y; cart="a"`;
					const answer = await get('/plants?page=2', { cookie, authorization: 'Basic YTpi' });
					expect([answer.status, answer.received().url]).toEqual([200, '/plants?page=2']);
					expect(answer.sent('x-postern-email')).toEqual(['ada@example.org']);
					expect(answer.sent('x-postern-user')[0]).toMatch(/^[0-9a-f-]{36}$/);
					expect(answer.sent('x-postern-name').map(decodeURIComponent)).toEqual([name.name]);
					expect(answer.sent('cookie')).toEqual(['theme=dark; cart="a"']);
					expect(answer.sent('authorization')).toEqual(['Basic YTpi']);
					expect(answer.text).not.toMatch(/postern_|x-postern-cookie/i);
				});

				test('identity headers of the client never arrive, also with underscores', async () => {
					const nameless = await signIn(fixture.server, 'nameless@example.org');
					const answer = await get('/', {
						cookie: nameless.cookie,
						'X-Postern-User': 'forged',
						'x-postern-email': ['forged', 'forged'],
						'X-POSTERN-NAME': 'forged',
						'X-Postern-Cookie': 'forged',
						X_Postern_User: 'forged',
						'X-Postern_Name': 'forged',
						x_postern_email: 'forged'
					});
					expect(answer.status).toBe(200);
					expect(answer.text).not.toContain('forged');
					expect(answer.sent('x-postern-email')).toEqual(['nameless@example.org']);
					expect(answer.sent('x-postern-name').join('')).toBe('');
				});

				test('no browser can call the check itself', async () => {
					const headers = { ...forwarded, cookie: `secret=1; ${person.cookie}` };
					for (const path of ['/api/auth/forward', '//api/auth/forward', '/api/auth/%66orward']) {
						const answer = await get(path, headers);
						expect([path, answer.status]).toEqual([path, 404]);
						expect(answer.headers).not.toHaveProperty('x-postern-cookie');
					}
				});

				test('a navigation without a session goes to sign-in, and comes back', async () => {
					const before = application.seen.length;
					const answer = await get('/plants?page=2&callbackURL=//evil.example', NAVIGATION);
					const target = encodeURIComponent('/plants?page=2&callbackURL=//evil.example');
					expect(answer.status).toBe(302);
					expect(answer.headers.location).toBe(`${origin}/auth/sign-in?redirectTo=${target}`);
					const page = await get(answer.headers.location?.slice(origin.length) ?? '', NAVIGATION);
					expect([page.status, page.text.includes('</html>')]).toEqual([200, true]);
					expect(application.seen).toHaveLength(before);
				});

				test('a script without a session gets 401 as JSON', async () => {
					const answer = await get('/api/plants', { 'sec-fetch-mode': 'cors', accept: '*/*' });
					expect([answer.status, answer.text]).toEqual([
						401,
						'{"message":"Unauthorized","code":"UNAUTHORIZED"}'
					]);
				});

				test('a form without a session gets 401 and a page that says that nothing was saved', async () => {
					const before = application.seen.length;
					const form = { ...NAVIGATION, 'content-type': 'application/x-www-form-urlencoded' };
					const headers = { ...form, cookie: 'theme=dark', origin };
					const body = Buffer.from('plant=rose');
					const answer = await ask(listen, '/plants', { method: 'POST', headers, body });
					expect(answer.status).toBe(401);
					expect(answer.text).toContain('what you sent wasn’t saved');
					expect(application.seen).toHaveLength(before);
				});

				test('a session that ended, or that the rule excludes, is refused', async () => {
					const other = await signIn(fixture.server, 'eve@elsewhere.example');
					const excluded = await get('/', { cookie: other.cookie, ...NAVIGATION });
					expect([excluded.status, excluded.text.includes('may not open')]).toEqual([403, true]);
					const ended = await signIn(fixture.server, 'bob@example.org');
					expect((await get('/', { cookie: ended.cookie })).status).toBe(200);
					await call(fixture.server, OUT, { json: {}, headers: bearer(ended.token) });
					expect((await get('/', { cookie: ended.cookie })).status).toBe(401);
				});

				test('no other protocol is tunnelled, because the check would not see its requests', async () => {
					const { status } = await get('/socket', {
						connection: 'Upgrade, HTTP2-Settings',
						upgrade: 'h2c',
						'http2-settings': 'AAMAAABk',
						cookie: person.cookie
					});
					expect(status).not.toBe(101);
				});

				test('a WebSocket is checked at its handshake', async () => {
					const before = application.seen.length;
					expect((await get('/socket', WEBSOCKET)).status).toBe(401);
					expect(application.seen).toHaveLength(before);
					expect((await get('/socket', { ...WEBSOCKET, cookie: person.cookie })).status).toBe(101);
					expect(application.seen).toHaveLength(before + 1);
				});

				test('an upload of 100 MB arrives, with 7,000 bytes of cookies', async () => {
					const cookie = `${person.cookie}; big=${'x'.repeat(7000)}`;
					const body = Buffer.alloc(UPLOAD);
					const answer = await ask(listen, '/files', { method: 'POST', headers: { cookie }, body });
					expect([answer.status, answer.received().bytes]).toEqual([200, UPLOAD]);
				});
			},
			{ AUTH_URL: origin, FORWARD_ALLOW: '@example.org' }
		);

		test('it stays closed while Postern is down', async () => {
			const application = await startApplication();
			const [front, postern] = [await freePort(), await freePort()];
			const running = await proxy.start({ listen: front, postern, application: application.port });
			const answer = await ask(front, '/', { headers: { cookie: 'postern_session=x' } });
			expect(answer.status).toBeGreaterThanOrEqual(500);
			expect(application.seen).toEqual([]);
			await running.stop();
			application.stop();
		});
	});
}
