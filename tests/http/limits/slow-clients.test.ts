import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { closeIdleConnections } from '../../support/http/agent.ts';
import {
	call,
	inBatches,
	rounds,
	signIn,
	times,
	SEND,
	type Call
} from '../../support/http/client.ts';
import { memoryOf, processOf, settled } from '../../support/process/server-process.ts';

// The test reads open files in /proc. The server’s timeouts do not depend on the platform.
const elsewhere = process.platform !== 'linux';
const full = process.env['POSTERN_FULL'] === '1';
const shorterTimeouts = pathToFileURL(join(import.meta.dirname, './shorter-timeouts.ts')).href;

/** How many open files and sockets a process has. */
const openFilesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length;

/** The limit of open files and sockets for this process and those it starts. */
const openFilesLimit = (): number => {
	const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
	return Number(soft);
};

/**
 * The server’s timeouts, in milliseconds. The long run waits for them; the short one speeds up
 * time.
 */
const scale = full ? 1 : 1 / 10;
/** A response in progress at the timeout gets the same time once more. */
const STALL = 2 * 45_000 * scale;
/** Until the server checks for timeouts, plus delay on a busy machine. */
const LATE = 5000 * scale + 10_000;

const JSON_HEAD = `POST ${SEND} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n`;
const FORM_HEAD =
	'POST /auth/sign-in?/request HTTP/1.1\r\nhost: x\r\ncontent-type: application/x-www-form-urlencoded\r\n';
const LONG = 'content-length: 1000\r\n\r\n';

/**
 * A client that sends `first`, then `drip` as long as the socket is open, and the server’s end of
 * it.
 */
const slowClient = (server: BuiltServer, first: string, drip?: string): Promise<string> =>
	new Promise((resolve) => {
		let received = '';
		const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
		const dripping =
			drip === undefined ? null : setInterval(() => socket.write(drip), 1000 * scale);
		socket.setEncoding('utf8').on('data', (text: string) => (received += text));
		socket
			.on('error', () => undefined)
			.on('close', () => {
				if (dripping !== null) clearInterval(dripping);
				resolve(received);
			});
		if (first !== '') socket.write(first);
	});

/** Between two rounds, in milliseconds. */
const EVERY = 20;

/** Sends all of these requests, repeatedly, until `work` is done. Returns their statuses too. */
const whileAsking = async <T>(
	server: BuiltServer,
	requests: readonly (readonly [path: string, options?: Call])[],
	work: () => Promise<T>
): Promise<readonly [T, readonly number[]]> => {
	const statuses: number[] = [];
	let done = false;
	const clients = requests.map(async ([path, options]) => {
		while (!done) {
			statuses.push((await call(server, path, options)).status);
			await pause(EVERY);
		}
	});
	try {
		const result = await work();
		done = true;
		await Promise.all(clients);
		return [result, statuses];
	} finally {
		done = true;
		await Promise.allSettled(clients);
	}
};

const idleSocket = async (server: BuiltServer): Promise<Socket> => {
	const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
	socket.on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
};

describe('clients that send slowly or not at all', () => {
	let server: BuiltServer;
	let baseline: number;
	beforeAll(async () => {
		server = await startBuiltServer(
			full ? {} : { env: { NODE_OPTIONS: `--import=${shorterTimeouts}` } }
		);
		await signIn(server);
		baseline = await settled(openFiles);
	});
	afterAll(async () => {
		expect(await server.stop()).toBe(0);
	});

	/** Without the sockets that other calls of this test keep open. */
	const openFiles = (): number => {
		closeIdleConnections(Number(new URL(server.address).port));
		return elsewhere ? 0 : openFilesOf(processOf(server));
	};
	const expectBaseline = (): Promise<void> => expect.poll(openFiles).toBeLessThanOrEqual(baseline);
	/** A normal client continues meanwhile, and is served. */
	const othersServed = async <T>(work: () => Promise<T>): Promise<T> => {
		const user = await signIn(server);
		const [result, statuses] = await whileAsking(
			server,
			[['/healthz'], ['/app', { headers: { cookie: user.cookie } }]],
			async () => {
				const done = work();
				await signIn(server);
				return done;
			}
		);
		expect(new Set(statuses)).toEqual(new Set([200]));
		return result;
	};

	test('M19 the server answers headers and bodies that arrive byte by byte or not at all with 408 in time, and serves other clients', async () => {
		const head = `GET / HTTP/1.1\r\nhost: x\r\nx-slow: `;
		const inHeaders = ['', 'G', head].map((first) => slowClient(server, first));
		const dripped = [slowClient(server, head, 'a'), slowClient(server, '\r\n', '\r\n')];
		const page = await call(server, '/auth/sign-in');
		const cookie = (page.setCookies[0] ?? '').split(';', 1)[0] ?? '';
		const form = `${FORM_HEAD}origin: ${server.address}\r\ncookie: ${cookie}\r\n${LONG}`;
		const inBody = [
			slowClient(server, `${JSON_HEAD}${LONG}`, ' '),
			slowClient(server, `${JSON_HEAD}transfer-encoding: chunked\r\n\r\n`, '1\r\n \r\n'),
			slowClient(server, form, 'a'),
			slowClient(server, `${JSON_HEAD}${LONG}{"em`),
			slowClient(server, `${JSON_HEAD}transfer-encoding: chunked\r\n\r\n5\r\n{"em`),
			slowClient(server, `${form}a`)
		];
		const answers = await othersServed(() => Promise.all([...inHeaders, ...dripped, ...inBody]));
		for (const received of answers) expect(received).toMatch(/^HTTP\/1\.1 408 /);
		await expectBaseline();
	});

	test.skipIf(elsewhere)(
		'M19 the server closes connections whose client never reads the responses, in time',
		async () => {
			const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
			socket.on('error', () => undefined).pause();
			// The responses exceed the buffers between client and server.
			const request = 'GET /api/auth/openapi.json HTTP/1.1\r\nhost: x\r\n\r\n';
			for (let sent = 0; sent < 100; sent += 1) socket.write(request);
			await expect.poll(openFiles).toBeGreaterThan(baseline);
			await expect
				.poll(openFiles, { timeout: STALL + LATE + 10_000 })
				.toBeLessThanOrEqual(baseline);
			expect(socket.closed).toBe(false);
			socket.destroy();
		}
	);

	test.skipIf(elsewhere)(
		'M19 with many idle and half-open sockets, other clients are served, and no socket stays open',
		async () => {
			const count = Math.min(rounds(500, 10_000), openFilesLimit() - 300);
			const memory = memoryOf(processOf(server));
			const sockets = await othersServed(async () => {
				const opened = await inBatches(
					times(count, (number) => number),
					100,
					async (number) => {
						const socket = await idleSocket(server);
						// One in four has started a body, one in four a header.
						if (number % 4 === 0) socket.write(`${JSON_HEAD}${LONG}{`);
						if (number % 4 === 1) socket.write('GET / HTTP/1.1\r\nx: ');
						return socket;
					}
				);
				await Promise.all(
					opened.map((socket) => (socket.closed ? null : once(socket.resume(), 'close')))
				);
				return opened;
			});
			expect(sockets).toHaveLength(count);
			await expectBaseline();
			expect(memoryOf(processOf(server)) - memory).toBeLessThan(300);
		}
	);
});
