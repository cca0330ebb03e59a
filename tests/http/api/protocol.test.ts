import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
	bearer,
	call,
	exchange,
	freshCode,
	newAddress,
	signIn,
	times,
	ME,
	OUT,
	SEND
} from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';

// One database is enough: these tests check bytes on the wire, and no request reaches a store.

const LEAKS = /node_modules|\bat .+:\d+:\d+|Error:/;
const HEAD = 'host: x\r\nconnection: close\r\n';

onOneServer((fixture) => {
	const statusesOf = (received: string): readonly number[] =>
		[...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
	const expectAlive = async (): Promise<void> => {
		expect((await call(fixture.server, '/api/auth/ok')).json()).toEqual({ ok: true });
	};
	/** A complete request for a code, which an attacker hides inside another request. */
	const hidden = (email: string): string => {
		const body = JSON.stringify({ email });
		return `POST ${SEND} HTTP/1.1\r\n${HEAD}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
	};

	const chunked = 'transfer-encoding: chunked\r\n';
	test.each<readonly [string, string]>([
		['Content-Length before Transfer-Encoding', `content-length: 6\r\n${chunked}\r\n0\r\n\r\n`],
		['two different Content-Length headers', 'content-length: 0\r\ncontent-length: 60\r\n\r\n'],
		['a space before the colon', `transfer-encoding : chunked\r\n\r\n0\r\n\r\n`],
		['a folded header', 'transfer-encoding:\r\n chunked\r\n\r\n0\r\n\r\n'],
		['chunked that is not the last coding', 'transfer-encoding: chunked, x\r\n\r\n0\r\n\r\n'],
		['a chunk extension with a line feed', `${chunked}\r\n0;\n\r\n\r\n`],
		['bare line feeds between headers', 'content-length: 0\nx: y\r\n\r\n'],
		['a NUL in a header', 'x: a\0b\r\n\r\n']
	])('O06 %s: refused, and the smuggled part is never handled as a request', async (_, rest) => {
		const email = newAddress('hidden');
		const received = await exchange(
			fixture.server,
			`POST ${OUT} HTTP/1.1\r\nhost: x\r\n${rest}${hidden(email)}`
		);
		// Node refuses it before our code runs, so there is one answer and the connection ends.
		expect(statusesOf(received).slice(0, 1)).toEqual([400]);
		expect(statusesOf(received)).toHaveLength(1);
		expect(received).not.toMatch(LEAKS);
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(email)).toBe(0);
	});

	test('O06 pipelined requests are answered in order, each with its own caller', async () => {
		const { token, email } = await signIn(fixture.server);
		const received = await exchange(
			fixture.server,
			`GET ${ME} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\n\r\n` +
				`GET ${ME} HTTP/1.1\r\nhost: x\r\n\r\n` +
				`GET /api/auth/ok HTTP/1.1\r\n${HEAD}\r\n`
		);
		expect(statusesOf(received)).toEqual([200, 200, 200]);
		expect(received.split(email)).toHaveLength(2);
		expect(received).toMatch(/\r\n\r\nnull/);
	});

	test.each<readonly [string, string, readonly number[]]>([
		[
			'a GET with a body (CVE-2024-23641)',
			`GET ${ME} HTTP/1.1\r\n${HEAD}content-length: 5\r\n\r\nhello`,
			[200, 400]
		],
		['TRACE', `TRACE ${ME} HTTP/1.1\r\n${HEAD}cookie: postern_session=secret\r\n\r\n`, [400, 405]],
		['CONNECT', `CONNECT ${'evil.example:443'} HTTP/1.1\r\nhost: evil.example:443\r\n\r\n`, []],
		['an absolute target', `GET http://evil.example/app HTTP/1.1\r\n${HEAD}\r\n`, [303, 400]],
		['a header of 20 KB', `GET ${ME} HTTP/1.1\r\n${HEAD}x: ${'x'.repeat(20_000)}\r\n\r\n`, [431]],
		[
			'an Accept header of 12 KB (sveltejs/kit@82712fc02c)',
			`GET / HTTP/1.1\r\n${HEAD}accept: ${'text/html;q=0.1,'.repeat(750)}\r\n\r\n`,
			[200]
		],
		['no Host header', `GET ${ME} HTTP/1.1\r\nconnection: close\r\n\r\n`, [400]],
		[
			'an upgrade',
			`GET ${ME} HTTP/1.1\r\n${HEAD.replace('close', 'upgrade, close')}upgrade: h2c\r\n\r\n`,
			[200, 400]
		],
		[
			'an unknown expectation',
			`POST ${OUT} HTTP/1.1\r\n${HEAD}expect: 42\r\ncontent-length: 0\r\n\r\n`,
			[417]
		]
	])(
		'O05 %s: the server answers cleanly or closes the connection',
		async (name, request, expected) => {
			const socket =
				name === 'an upgrade' ? `${request}GET ${ME} HTTP/1.1\r\n${HEAD}\r\n` : request;
			const received = await exchange(fixture.server, Buffer.from(socket, 'latin1'));
			const [status] = statusesOf(received);
			expect([name, status ?? 'closed']).toEqual([
				name,
				expected.find((one) => one === status) ?? (expected.length === 0 ? 'closed' : expected)
			]);
			expect(received).not.toMatch(LEAKS);
			// TRACE echoes headers that scripts may not read; an absolute target must not become our own
			// address.
			expect(received).not.toContain('postern_session=secret');
			expect(received).not.toMatch(/^location: (?!\/(?!\/))/im);
			await expectAlive();
		}
	);

	test('O01 a gzip bomb is not unpacked', async () => {
		const bomb = gzipSync(Buffer.alloc(60_000_000, 0x20));
		expect(bomb.length).toBeLessThan(64 * 1024);
		for (const [path, type, status] of [
			[SEND, 'application/json', 400],
			['/auth/sign-in?/request', 'application/x-www-form-urlencoded', 403]
		] as const) {
			const headers = {
				'content-type': type,
				'content-encoding': 'gzip',
				origin: fixture.server.address
			};
			const answer = await call(fixture.server, path, { method: 'POST', body: bomb, headers });
			expect(answer.status).toBe(status);
		}
	});

	test('O01 a body shorter than declared, or with endless chunks, has no effect, and other requests are served', async () => {
		const email = newAddress('unfinished');
		const body = JSON.stringify({ email });
		const open = [
			`content-length: ${body.length + 5}\r\n\r\n${body}`,
			`${chunked}\r\n${body.length.toString(16)}\r\n${body}\r\n`
		].map((rest) => {
			const socket = connect(Number(new URL(fixture.server.address).port), '127.0.0.1');
			socket.on('error', () => undefined);
			socket.write(`POST ${SEND} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${rest}`);
			return socket;
		});
		await freshCode(fixture.server, newAddress());
		for (const socket of open) socket.destroy();
		await freshCode(fixture.server, newAddress());
		expect(fixture.server.codesSentTo(email)).toBe(0);
		await expectAlive();
	});

	test('E24 two concurrent users never see each other’s answers (sveltejs/kit@dadaefc2e6)', async () => {
		const [ada, eve] = await Promise.all([signIn(fixture.server), signIn(fixture.server)]);
		const answers = await Promise.all(
			times(120, async (i) => {
				const [who, other] = i % 2 === 0 ? [ada, eve] : [eve, ada];
				const path = ['/app', ME, '/api/hello', '/app/__data.json'][(i >> 1) % 4] ?? ME;
				const headers = (i >> 3) % 2 === 0 ? { cookie: who.cookie } : bearer(who.token);
				const { text, status } = await call(fixture.server, path, { headers });
				return [status, text.includes(who.email), text.includes(other.email)].join();
			})
		);
		expect(new Set(answers)).toEqual(new Set(['200,true,false']));
	});
});
