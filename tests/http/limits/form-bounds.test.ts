import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { openBrowser } from '../../support/http/browser.ts';
import {
	call,
	nextClient,
	tally,
	times,
	type Answer,
	type Call
} from '../../support/http/client.ts';
import { onOneServer, present, type Fixture } from '../../support/http/fixtures.ts';

const KIB = 1024;
const URLENCODED = 'application/x-www-form-urlencoded';
const BROWSER = 'postern_browser';

onOneServer((fixture) => {
	const browserCookie = async (): Promise<string> => {
		const browser = openBrowser(fixture.server);
		await browser.open('/auth/sign-in');
		return `${BROWSER}=${present(browser.cookie(BROWSER))}`;
	};
	const post = (path: string, options: Call): Promise<Answer> =>
		call(fixture.server, path, {
			method: 'POST',
			...options,
			headers: { origin: fixture.server.address, 'content-type': URLENCODED, ...options.headers }
		});

	test.each([
		['a declared length over the bound', 413, true, 64 * KIB + 1],
		['a declared length over the bound and no form cookie', 413, false, 64 * KIB + 1],
		['no form cookie', 403, false, 1000]
	])(
		'R02 with %s the response %d is sent before the body arrives',
		async (_, status, cookied, length) => {
			const cookie = cookied ? await browserCookie() : 'a=b';
			for (const path of ['/', '/auth/sign-in?/request', '/nope']) {
				const received = await toHeadAlone(
					fixture,
					`POST ${path} HTTP/1.1\r\nhost: x\r\norigin: ${fixture.server.address}\r\ncookie: ${cookie}\r\n` +
						`x-forwarded-for: ${nextClient()}\r\ncontent-type: ${URLENCODED}\r\ncontent-length: ${length}\r\n\r\n`
				);
				expect([path, received.split('\r\n')[0]]).toEqual([
					path,
					expect.stringMatching(new RegExp(`^HTTP/1.1 ${status} `))
				]);
			}
		}
	);

	test.each(['/docs', '/authors?/request'])(
		'R02 posts to %s count for their client, and the server does not read a refused one',
		async (path) => {
			const headers = { 'x-forwarded-for': nextClient() };
			const answers = await Promise.all(times(100, () => post(path, { body: 'a=b', headers })));
			expect(tally(answers.map(({ status }) => status))).toEqual({ 403: 100 });
			const received = await toHeadAlone(
				fixture,
				`POST ${path} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${headers['x-forwarded-for']}\r\n` +
					`content-type: ${URLENCODED}\r\ncontent-length: 1000\r\n\r\n`
			);
			expect(received).toMatch(/^HTTP\/1\.1 429 /);
			expect((await post(path, { body: 'a=b' })).status).toBe(403);
		}
	);

	test('R02 one client may have 16 bodies in flight; one more ends one of them, and requests without a body are served', async () => {
		const headers = { 'x-forwarded-for': nextClient() };
		const sockets = times(17, () =>
			opened(
				fixture,
				`POST /api/auth/sign-in/email-otp HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${headers['x-forwarded-for']}\r\n` +
					'content-type: application/json\r\ncontent-length: 1000\r\n\r\n'
			)
		);
		const answer = await Promise.race(sockets.map((socket) => once(socket, 'data')));
		expect(String(answer)).toMatch(/^HTTP\/1\.1 408 /);
		expect((await call(fixture.server, '/', { headers })).status).toBe(200);
		expect(sockets.filter(({ bytesRead }) => bytesRead === 0)).toHaveLength(16);
		for (const socket of sockets) socket.destroy();
	});
});

const opened = (fixture: Fixture, bytes: string): Socket => {
	const socket = connect(Number(new URL(fixture.server.address).port), '127.0.0.1');
	socket.on('error', () => undefined).write(bytes);
	return socket;
};

/** The answer to headers whose body never arrives. */
const toHeadAlone = (fixture: Fixture, head: string): Promise<string> =>
	new Promise((resolve) => {
		const socket = opened(fixture, head);
		socket.setEncoding('utf8').once('data', (text: string) => {
			resolve(text);
			socket.destroy();
		});
		socket.once('close', () => resolve(''));
	});
