import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_BYTES, MAX_PER_CLIENT, withBodyBound } from '../../../src/entry/arriving-bodies.ts';
import { inBatches, times } from '../../support/http/client.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

interface Client {
	readonly socket: Socket;
	received: string;
	closed: boolean;
}

describe('R02: bodies that are arriving', () => {
	let server: Server;
	let sockets: Socket[];
	let read: number;
	/** Requests whose body the server reads when this is called. */
	let unread: (() => void)[];
	beforeEach(async () => {
		[sockets, read, unread] = [[], 0, []];
		server = createServer(
			withBodyBound(serve, ({ headers }) => String(headers['x-from'] ?? '192.0.2.1'))
		);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	});
	afterEach(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
		server.closeAllConnections();
	});

	/** Reads the body whole before it answers, unless the path says otherwise. */
	const serve = (request: IncomingMessage, response: ServerResponse): void => {
		request.on('error', () => undefined);
		if (request.url === '/refused') {
			return void request.once('data', () => {
				request.pause();
				response.writeHead(403, { connection: 'close' }).end('no');
			});
		}
		if (request.url === '/begun') response.write('begun');
		const readAll = (): void => {
			request.on('data', ({ length }: Buffer) => (read += length));
			request.on('end', () => response.end('done'));
		};
		if (request.url === '/later') unread.push(readAll);
		else readAll();
	};

	const send = (text: string): Client => {
		const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
		const client: Client = { socket, received: '', closed: false };
		sockets.push(socket);
		socket.setEncoding('utf8').on('data', (data: string) => (client.received += data));
		socket.on('error', () => undefined).on('close', () => (client.closed = true));
		socket.write(text);
		return client;
	};
	const head = (from: string, length: number, path = '/'): string =>
		`POST ${path} HTTP/1.1\r\nhost: x\r\nx-from: ${from}\r\ncontent-length: ${length}\r\n\r\n`;
	/** Sends all of a body but its last byte, and waits until the server has that. */
	const half = async (from: string, length = 10, path = '/'): Promise<Client> => {
		const before = read;
		const client = send(`${head(from, length, path)}${'x'.repeat(length - 1)}`);
		await soon(() => read).toBe(before + length - 1);
		return client;
	};
	const halves = async (from: string, count: number): Promise<readonly Client[]> => {
		const all: Client[] = [];
		for (let number = 0; number < count; number += 1) all.push(await half(from));
		return all;
	};
	const finish = async (client: Client): Promise<void> => {
		client.socket.write('x');
		await answered(client, 200);
	};

	test('a client has at most 16: one more ends its oldest with 408', async () => {
		const other = await half('192.0.2.2');
		const [oldest, ...own] = await halves('192.0.2.1', MAX_PER_CLIENT);
		const late = await half('192.0.2.1');
		await answered(oldest, 408);
		for (const client of [other, ...own, late]) await finish(client);
	});

	test('an IPv6 client is its /64', async () => {
		const oldest = await half('2001:db8::1');
		await halves('2001:db8::2', MAX_PER_CLIENT - 1);
		expect(oldest.closed).toBe(false);
		await half('2001:db8:0:1::1');
		await half('2001:db8::3');
		await answered(oldest, 408);
	});

	test('a body that arrives together with its headers is never one too many', async () => {
		const own = await halves('192.0.2.1', MAX_PER_CLIENT);
		const whole = times(MAX_PER_CLIENT + 1, () =>
			send(`${head('192.0.2.1', 10, '/later')}0123456789`)
		);
		await soon(() => unread.length).toBe(whole.length);
		await answered(send(`${head('192.0.2.1', 10)}0123456789`), 200);
		for (const readAll of unread) readAll();
		for (const client of whole) await answered(client, 200);
		for (const client of own) await finish(client);
	});

	test('above 16 MiB in all, the client with the most bytes loses its oldest, and small bodies of many networks stay', async () => {
		const networks = times(128, (number) => `198.51.${number}.1`);
		const small = await Promise.all(networks.map((from) => send(`${head(from, 10)}012345678`)));
		await soon(() => read).toBe(9 * networks.length);
		const [first, second] = [await half('192.0.2.1', 5 * MIB), await half('192.0.2.1', 5 * MIB)];
		const other = await half('203.0.113.1', 5 * MIB);
		expect(first.closed).toBe(false);
		const honest = await half('192.0.2.77');
		send(`${head('203.0.113.9', 2 * MIB)}${'x'.repeat(2 * MIB - 1)}`);
		await answered(first, 408);
		for (const client of [...small, second, other, honest]) await finish(client);
	});

	test('a piece of one byte counts for the memory that it takes', async () => {
		const honest = await half('192.0.2.77');
		const pieces = '1\r\nx\r\n'.repeat(MAX_BYTES / 512);
		const endless = send(
			`POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n${pieces}`
		);
		await soon(() => endless.closed).toBe(true);
		await finish(honest);
	});

	test('a body counts until it was read or its connection is closed', async () => {
		const honest = await half('192.0.2.77', 2 * MIB);
		const kept = send('');
		for (let round = 1; round <= 8; round += 1) {
			kept.socket.write(`${head('192.0.2.1', 3 * MIB)}${'x'.repeat(3 * MIB)}`);
			await soon(() => kept.received.split('done').length).toBe(round + 1);
		}
		// The server reads a part of each, answers and closes the connection.
		await inBatches(
			times(300, (number) => `198.51.100.${number % 250}`),
			50,
			async (from) => {
				const refused = send(`${head(from, MIB, '/refused')}${'x'.repeat(128 * KIB)}`);
				await answered(refused, 403);
				await soon(() => refused.closed).toBe(true);
			}
		);
		await finish(honest);
	});

	test('clients that disconnect, pipeline, wait for 100 or keep the connection use up nothing', async () => {
		const own = await halves('192.0.2.1', MAX_PER_CLIENT - 1);
		for (let round = 0; round < 5; round += 1) {
			(await half('192.0.2.1')).socket.resetAndDestroy();
			const kept = send(`${head('192.0.2.1', 3)}abc${head('192.0.2.1', 3)}ab`);
			await soon(() => kept.received.split('done').length).toBe(2);
			kept.socket.write('c');
			await soon(() => kept.received.split('done').length).toBe(3);
			const slow = send(
				head('192.0.2.1', 2).replace('\r\n\r\n', '\r\nexpect: 100-continue\r\n\r\n')
			);
			await answered(slow, 100);
			slow.socket.write('ab');
			await soon(() => slow.received).toContain('done');
		}
		for (const client of own) await finish(client);
	});

	test('a response that has begun gets no second status line', async () => {
		const begun = await half('192.0.2.1', 10, '/begun');
		await halves('192.0.2.1', MAX_PER_CLIENT);
		await soon(() => begun.closed).toBe(true);
		expect(begun.received.match(/HTTP\/1\.1/g)).toHaveLength(1);
		expect(begun.received).toMatch(/^HTTP\/1\.1 200 /);
	});

	test('a body that is dropped answers no earlier request of its connection', async () => {
		const both = send(`${head('192.0.2.1', 1, '/later')}x${head('192.0.2.1', 2)}x`);
		await soon(() => read).toBe(1);
		await halves('192.0.2.1', MAX_PER_CLIENT);
		await soon(() => both.closed).toBe(true);
		expect(both.received).toBe('');
	});
});

const soon = <T>(value: () => T) => expect.poll(value, { interval: 5 });
const answered = (client: Client | undefined, status: number): Promise<void> =>
	soon(() => client?.received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
