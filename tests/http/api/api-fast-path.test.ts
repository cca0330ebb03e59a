import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import {
	bearer,
	call,
	exchange,
	newAddress,
	signIn,
	times,
	API,
	ME,
	OUT,
	SEND,
	VERIFY,
	type Call
} from '../../support/http/client.ts';

const NAME = `${API}/update-user`;
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };
const JSON_HEAD = 'content-type: application/json\r\n';
const CHUNKED = `${JSON_HEAD}transfer-encoding: chunked`;

// An escaped letter sends a request to the same route by the framework's adapter.
const byAdapter = (path: string): string => path.replace(/^\/api\/(auth\/)?[a-z]/, escapeLast);
const escapeLast = (text: string): string =>
	`${text.slice(0, -1)}%${text.charCodeAt(text.length - 1).toString(16)}`;

describe('a request of the API', () => {
	let server: BuiltServer;
	let token: string;
	let cookie: string;
	beforeAll(async () => {
		server = await startBuiltServer();
		({ token, cookie } = await signIn(server));
	});
	afterAll(() => server.stop());

	/** The parts that two answers to the same request have in common. */
	const told = async (path: string, options: Call) => {
		const { status, headers, text } = await call(server, path, options);
		const { date, 'x-request-id': id, 'set-cookie': cookies = [], ...rest } = headers;
		expect(date).toBeDefined();
		const named = id !== undefined;
		const names = cookies.map((line) => line.replace(/=[^;]*/, ''));
		return { status, rest, named, names, text };
	};

	test.each<readonly [string, string, () => Call]>([
		['of an unauthenticated client', '/api/hello', () => ({})],
		['by bearer', '/api/hello', () => ({ headers: bearer(token) })],
		['by cookie, which seals a cache', ME, () => ({ headers: { cookie } })],
		['with a query', `${ME}?disableCookieCache=true&x=%c3%a9`, () => ({ headers: { cookie } })],
		['for the head alone', '/api/hello', () => ({ method: 'HEAD', headers: bearer(token) })],
		['of another site', '/api/hello', () => ({ headers: { origin: 'https://x.example' } })],
		['to what is not there', `${API}/no-such-thing`, () => ({})],
		['to what takes another method', OUT, () => ({ headers: bearer(token) })],
		['by two bearers', '/api/hello', () => ({ headers: { authorization: `Bearer ${token}, x` } })]
	])('%s gets the same answer as from the adapter', async (_, path, options) => {
		// A first request for each, so that neither pays for the warm-up.
		await told(path, options());
		const fast = await told(path, options());
		expect(byAdapter(path)).not.toBe(path);
		expect(fast).toEqual(await told(byAdapter(path), options()));
	});

	test.each<readonly [string, string, () => Call, number]>([
		['that is right', SEND, () => ({ json: { email: newAddress(), type: 'sign-in' } }), 200],
		[
			'with a code that is wrong',
			VERIFY,
			() => ({ json: { email: newAddress(), otp: '000000' } }),
			400
		],
		['by bearer', `${API}/list-sessions`, () => ({ method: 'POST', headers: bearer(token) }), 405],
		[
			'that changes a name',
			NAME,
			() => ({ json: { name: 'Ada 李' }, headers: bearer(token) }),
			200
		],
		['of an unauthenticated client', NAME, () => ({ json: { name: 'Ada' } }), 401],
		[
			'of another site',
			OUT,
			() => ({ json: {}, headers: { cookie, origin: 'https://x.example' } }),
			403
		],
		['that is no JSON', SEND, () => ({ method: 'POST', body: '{', headers: JSON_TYPE }), 400],
		['of another type', SEND, () => ({ method: 'POST', body: 'a=b', headers: FORM_TYPE }), 415],
		['without a body', SEND, () => ({ method: 'POST', headers: JSON_TYPE }), 400],
		[
			'that is no UTF-8',
			SEND,
			() => ({ method: 'POST', body: Buffer.from([0x22, 0xff, 0x22]), headers: JSON_TYPE }),
			400
		],
		['that is too large', SEND, () => ({ json: { email: 'x'.repeat(70_000) } }), 413]
	])('a request with a body, %s, gets the correct answer', async (_, path, options, status) => {
		const { headers, ...answer } = await call(server, path, options());
		expect([answer.status, headers['content-type']]).toEqual([status, 'application/json']);
	});

	test.each([
		['nobody reads', 'content-type: text/plain\r\ncontent-length: 300000', 'x'.repeat(300_000)],
		['is refused half read', CHUNKED, `493e0\r\n"${'x'.repeat(299_999)}\r\n0\r\n\r\n`],
		['is read', `${JSON_HEAD}content-length: 2`, '{}']
	])(
		'after a body %s, the next request on the connection is parsed correctly',
		async (_, head, body) => {
			const heard = await exchange(
				server,
				`POST ${SEND} HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n${body}` +
					`GET ${API}/ok HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
			);
			const statuses = [...heard.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) =>
				Number(status)
			);
			expect([statuses.length, statuses.at(-1)]).toEqual([2, 200]);
			expect(statuses[0]).toBeGreaterThanOrEqual(400);
		}
	);

	test.each(['/api/../settings', '/api/./hello', '/api//hello', '/api/hello%2f', '/api/hello;x'])(
		'a request spelled like %s goes to the adapter, and gives no access',
		async (path) => {
			const heard = await exchange(
				server,
				`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
			);
			expect(heard).toMatch(/^HTTP\/1\.1 (303|308|401|404) /);
		}
	);

	test('the reason phrase of the status line matches the status code', async () => {
		const of = (path: string) =>
			exchange(server, `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
		expect(await of(`${API}/ok`)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
		expect(await of('/api/hello')).toMatch(/^HTTP\/1\.1 401 Unauthorized\r\n/);
	});

	test.each([
		[
			'are asking',
			() => `GET /api/hello HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`
		],
		[
			'are sending',
			() => `POST ${SEND} HTTP/1.1\r\nhost: x\r\n${JSON_HEAD}content-length: 99\r\n\r\n{"email":`
		]
	])('clients that disconnect while they %s affect no other client', async (_, bytes) => {
		const port = Number(new URL(server.address).port);
		const gone = times(20, () => {
			const socket = connect(port, '127.0.0.1');
			socket.write(bytes(), () => socket.resetAndDestroy());
			return once(socket, 'close');
		});
		await Promise.all(gone);
		expect((await call(server, '/api/hello', { headers: bearer(token) })).status).toBe(200);
		expect(server.output()).not.toContain('"event":"fault"');
	});
});
