import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../support/built-server.ts';
import {
	bearer,
	call,
	exchange,
	signIn,
	times,
	API,
	ME,
	OUT,
	type Call
} from '../support/http-client.ts';

// An escaped letter sends a request to the same route by the framework's adapter.
const byAdapter = (path: string): string => path.replace(/^\/api\/(auth\/)?[hgns]/, escapeLast);
const escapeLast = (text: string): string =>
	`${text.slice(0, -1)}%${text.charCodeAt(text.length - 1).toString(16)}`;

describe('a reading request of the API', () => {
	let server: BuiltServer;
	let token: string;
	let cookie: string;
	beforeAll(async () => {
		server = await startBuiltServer();
		({ token, cookie } = await signIn(server));
	});
	afterAll(() => server.stop());

	/** All that two answers to the same question have in common. */
	const told = async (path: string, options: Call) => {
		const { status, headers, text } = await call(server, path, options);
		const { date, 'x-request-id': id, 'set-cookie': cookies = [], ...rest } = headers;
		expect(date).toBeDefined();
		const named = id !== undefined;
		const names = cookies.map((line) => line.replace(/=[^;]*/, ''));
		return { status, rest, named, names, text };
	};

	test.each<readonly [string, string, () => Call]>([
		['of a stranger', '/api/hello', () => ({})],
		['by bearer', '/api/hello', () => ({ headers: bearer(token) })],
		['by cookie, which seals a cache', ME, () => ({ headers: { cookie } })],
		['with a query', `${ME}?disableCookieCache=true&x=%c3%a9`, () => ({ headers: { cookie } })],
		['for the head alone', '/api/hello', () => ({ method: 'HEAD', headers: bearer(token) })],
		['of another site', '/api/hello', () => ({ headers: { origin: 'https://x.example' } })],
		['to what is not there', `${API}/no-such-thing`, () => ({})],
		['to what takes another method', OUT, () => ({ headers: bearer(token) })],
		['by two bearers', '/api/hello', () => ({ headers: { authorization: `Bearer ${token}, x` } })]
	])('%s is answered as the adapter answers it', async (_, path, options) => {
		// Once before, so that none of the two is the first.
		await told(path, options());
		const fast = await told(path, options());
		expect(byAdapter(path)).not.toBe(path);
		expect(fast).toEqual(await told(byAdapter(path), options()));
	});

	test.each(['/api/../settings', '/api/./hello', '/api//hello', '/api/hello%2f', '/api/hello;x'])(
		'what is spelled like %s is left to the adapter, and is no way in',
		async (path) => {
			const heard = await exchange(
				server,
				`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
			);
			expect(heard).toMatch(/^HTTP\/1\.1 (303|308|401|404) /);
		}
	);

	test('the status line says in words what the number means', async () => {
		const of = (path: string) =>
			exchange(server, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
		expect(await of(`${API}/ok`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
		expect(await of('/api/hello')).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
	});

	test('those whose senders have gone hurt nobody', async () => {
		const port = Number(new URL(server.address).port);
		const bytes = `GET /api/hello HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`;
		const gone = times(20, () => {
			const socket = connect(port, '127.0.0.1');
			socket.write(bytes, () => socket.resetAndDestroy());
			return once(socket, 'close');
		});
		await Promise.all(gone);
		expect((await call(server, '/api/hello', { headers: bearer(token) })).status).toBe(200);
		expect(server.output()).not.toContain('"event":"fault"');
	});
});
