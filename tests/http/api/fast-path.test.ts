import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeAll, expect, test } from 'vitest';
import { onOneServer } from '../../support/http/fixtures.ts';
import type { BuiltServer } from '../../support/process/built-server.ts';
import {
	bearer,
	call,
	exchange,
	signIn,
	times,
	API,
	ME,
	OUT,
	SEND,
	type Call
} from '../../support/http/client.ts';

const EVIL = 'https://x.example';
const JSON_HEAD = 'content-type: application/json\r\n';
const CHUNKED = `${JSON_HEAD}transfer-encoding: chunked`;

// An escaped letter sends a request to the same route by the framework's adapter.
const byAdapter = (path: string): string => path.replace(/^\/api\/(auth\/)?[a-z]/, escapeLast);
const escapeLast = (text: string): string =>
	`${text.slice(0, -1)}%${text.charCodeAt(text.length - 1).toString(16)}`;

onOneServer((fixture) => {
	let server: BuiltServer;
	let token: string;
	let cookie: string;
	beforeAll(async () => {
		({ server } = fixture);
		({ token, cookie } = await signIn(server));
	});

	/** The parts of a response that do not differ between two responses to the same request. */
	const comparable = async (path: string, options: Call) => {
		const { status, headers, text } = await call(server, path, options);
		const { date, 'x-request-id': id, 'set-cookie': cookies = [], ...rest } = headers;
		expect(date).toBeDefined();
		const named = id !== undefined;
		const names = cookies.map((line) => line.replace(/=[^;]*/, ''));
		return { status, rest, named, names, text };
	};

	test.each<readonly [string, string, () => Call]>([
		['without a credential', '/api/hello', () => ({})],
		['with a bearer token', '/api/hello', () => ({ headers: bearer(token) })],
		['with a session cookie, which creates a cache', ME, () => ({ headers: { cookie } })],
		['with a query', `${ME}?disableCookieCache=true&x=%c3%a9`, () => ({ headers: { cookie } })],
		['by HEAD', '/api/hello', () => ({ method: 'HEAD', headers: bearer(token) })],
		['from another site', '/api/hello', () => ({ headers: { origin: EVIL } })],
		['for a missing path', `${API}/no-such-thing`, () => ({})],
		['by an unsupported method', OUT, () => ({ headers: bearer(token) })]
	])(
		'a read %s gets the same response on the fast path as from the adapter',
		async (_, path, options) => {
			// A first request for each, so that neither pays for the warm-up.
			await comparable(path, options());
			const fast = await comparable(path, options());
			expect(byAdapter(path)).not.toBe(path);
			expect(fast).toEqual(await comparable(byAdapter(path), options()));
		}
	);

	/** A page without what is random, and without its path, which the adapter's form escapes. */
	const comparablePage = async (path: string, options: Call) => {
		const { rest, text, ...page } = await comparable(path, options);
		const { 'content-security-policy': policy, 'content-length': _, ...others } = rest;
		const nonce = /'nonce-([^']+)'/.exec(String(policy))?.[1] ?? 'none';
		const fixed = (from: string): string =>
			from
				.replaceAll(nonce, 'NONCE')
				.replaceAll(/[0-9a-f]{32}\.[\w-]{43}/g, 'TOKEN')
				.replaceAll(path, 'PATH');
		return { ...page, others, policy: fixed(String(policy)), text: fixed(text) };
	};

	test.each<readonly [string, string, () => Call]>([
		['of an account', '/app', () => ({ headers: { cookie } })],
		['of an account, by HEAD', '/app', () => ({ method: 'HEAD', headers: { cookie } })],
		['without a session', '/app', () => ({})],
		['that everyone can open', '/auth/sign-in', () => ({})],
		['that does not exist', '/no-such-page', () => ({ headers: { cookie } })]
	])('a page %s is the same on the fast path as from the adapter', async (_, path, options) => {
		await comparablePage(path, options());
		const fast = await comparablePage(path, options());
		const slow = await comparablePage(byAdapter(path), options());
		expect(fast).toEqual(slow);
	});

	test.each([
		[
			'that the server does not read',
			'content-type: text/plain\r\ncontent-length: 300000',
			'x'.repeat(300_000)
		],
		['that is refused half read', CHUNKED, `493e0\r\n"${'x'.repeat(299_999)}\r\n0\r\n\r\n`],
		['that is read', `${JSON_HEAD}content-length: 2`, '{}']
	])(
		'after a body %s, the next request on the connection is parsed correctly',
		async (_, head, body) => {
			const received = await exchange(
				server,
				`POST ${SEND} HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n${body}` +
					`GET ${API}/ok HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`
			);
			const statuses = [...received.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) =>
				Number(status)
			);
			expect([statuses.length, statuses.at(-1)]).toEqual([2, 200]);
			expect(statuses[0]).toBeGreaterThanOrEqual(400);
		}
	);

	test.each([
		[
			'wait for a response',
			() => `GET /api/hello HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n`
		],
		[
			'send a body',
			() => `POST ${SEND} HTTP/1.1\r\nhost: x\r\n${JSON_HEAD}content-length: 99\r\n\r\n{"email":`
		]
	])('clients that disconnect while they %s affect no other client', async (_, bytes) => {
		const port = Number(new URL(server.address).port);
		const before = server.output().length;
		const disconnected = times(20, () => {
			const socket = connect(port, '127.0.0.1');
			socket.write(bytes(), () => socket.resetAndDestroy());
			return once(socket, 'close');
		});
		await Promise.all(disconnected);
		expect((await call(server, '/api/hello', { headers: bearer(token) })).status).toBe(200);
		expect(server.output().slice(before)).not.toContain('"event":"fault"');
	});
});
