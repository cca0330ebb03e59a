import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { batchedWrites, type UncorkLater } from '#lib/adapters/web/limits/batched-writes.ts';
import { fairTurns, type FairTurns } from '#lib/adapters/web/limits/fair-turns.ts';
import { sliceReads } from '#lib/adapters/web/limits/slice-reads.ts';
import { MAX_WAITING, SLICE } from '#lib/adapters/web/limits/sliced-connection.ts';

const open: { server: Server; sockets: Socket[] }[] = [];
afterEach(() => {
	for (const { server, sockets } of open.splice(0)) {
		for (const socket of sockets) socket.destroy();
		server.close();
		server.closeAllConnections();
	}
});

/** A server that answers with the length of each body, and counts the pieces that it received. */
const startServer = async (turns: FairTurns = fairTurns(() => 0), uncorkLater?: UncorkLater) => {
	const pieces: number[] = [];
	const server = createServer((request, response) => {
		let length = 0;
		request.on('data', (piece: Buffer) => {
			pieces.push(piece.length);
			length += piece.length;
		});
		request.on('end', () => response.end(`${length} bytes`));
	});
	sliceReads(server, turns, uncorkLater);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const one = { server, sockets: [] as Socket[] };
	open.push(one);
	const dial = (options: { allowHalfOpen?: boolean } = {}) => {
		const { port } = server.address() as AddressInfo;
		const socket = connect({ port, host: '127.0.0.1', ...options });
		one.sockets.push(socket);
		const client = { received: '', closed: false, socket };
		socket.setEncoding('utf8').on('data', (data: string) => (client.received += data));
		socket.on('error', () => undefined).on('close', () => (client.closed = true));
		return client;
	};
	return { server, pieces, dial };
};

const soon = <T>(read: () => T) => expect.poll(read, { interval: 1 });
const post = (length: number): string =>
	`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`;

/** Turns that the test takes one by one. */
const manualTurns = (): FairTurns & { take(): void; readonly size: number } => {
	const queue = new Set<() => void>();
	return {
		add: (work) => void queue.add(work),
		take: () => {
			const [next] = queue;
			if (next === undefined) return;
			queue.delete(next);
			next();
		},
		get size() {
			return queue.size;
		},
		get waiting() {
			return queue.size;
		}
	};
};

describe('a connection that is parsed in slices', () => {
	test('a body of any length arrives completely, in pieces of at most one slice', async () => {
		const { pieces, dial } = await startServer();
		const client = dial();
		client.socket.write(post(1_000_000) + 'a'.repeat(1_000_000));
		await soon(() => client.received).toContain('1000000 bytes');
		expect(Math.max(...pieces)).toBeLessThanOrEqual(SLICE);
	});

	test('the connection is kept for the next request', async () => {
		const { dial } = await startServer();
		const client = dial();
		for (const length of [1, SLICE, 3 * SLICE]) {
			client.socket.write(post(length) + 'a'.repeat(length));
			await soon(() => client.received).toContain(`\r\n\r\n${length} bytes`);
		}
	});

	test('a client that has finished sending still gets its response', async () => {
		const { dial } = await startServer();
		const client = dial({ allowHalfOpen: true });
		client.socket.end(post(10 * SLICE) + 'a'.repeat(10 * SLICE));
		await soon(() => client.received).toContain(`${10 * SLICE} bytes`);
		await soon(() => client.closed).toBe(true);
	});

	test('a client that disconnects ends its request', async () => {
		const { server, pieces, dial } = await startServer();
		let aborted = false;
		server.on('request', (request) =>
			request.on('close', () => (aborted = request.errored !== null))
		);
		const client = dial();
		client.socket.write(post(10) + 'a');
		await soon(() => pieces.length).toBe(1);
		client.socket.destroy();
		await soon(() => aborted).toBe(true);
	});

	test('a body that the server does not read stops the client, and arrives completely later', async () => {
		const requests: IncomingMessage[] = [];
		const { server, dial } = await startServer();
		server.removeAllListeners('request');
		server.on('request', (request, response) => {
			requests.push(request);
			request.on('end', () => response.end('all of it'));
		});
		const length = 200_000;
		const client = dial();
		client.socket.write(post(length));
		await soon(() => requests.length).toBe(1);
		const [request] = requests;
		// One short piece after the other, so that each is passed on directly, until the request takes
		// no more.
		let sent = 0;
		while ((request?.readableLength ?? Infinity) < (request?.readableHighWaterMark ?? 0)) {
			client.socket.write('a'.repeat(1000));
			sent += 1000;
			await soon(() => request?.readableLength).toBe(sent);
		}
		expect(sent).toBeLessThan(length / 2);
		client.socket.write('a'.repeat(length - sent));
		requests[0]?.resume();
		await soon(() => client.received).toContain('all of it');
	});

	test('what a response writes in one turn goes to the socket in one call, on every request', async () => {
		const { server, dial } = await startServer();
		let calls = 0;
		server.prependListener('connection', (socket: Socket) => {
			for (const name of ['_write', '_writev'] as const) {
				const original = socket[name]?.bind(socket) as (...given: unknown[]) => void;
				socket[name] = (...given: unknown[]) => {
					calls += 1;
					original(...given);
				};
			}
		});
		server.removeAllListeners('request');
		server.on('request', (_, response) => {
			response.write('one');
			response.write('two');
			response.end('three');
		});
		const client = dial();
		for (let answered = 1; answered <= 3; answered += 1) {
			client.socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
			await soon(() => client.received.split('three').length - 1).toBe(answered);
			expect(calls).toBe(answered);
		}
	});

	test('responses that complete in one turn are written together at its end', async () => {
		const ends: (() => void)[] = [];
		const { server, dial } = await startServer(
			undefined,
			batchedWrites((flush) => ends.push(flush))
		);
		let complete = 0;
		server.on('request', (_, response) => response.on('prefinish', () => (complete += 1)));
		const clients = [dial(), dial()];
		for (const { socket } of clients) socket.write(post(0));
		await soon(() => complete).toBe(2);
		// One flush for both, and nothing is written before it.
		expect(ends).toHaveLength(1);
		expect(clients.map(({ socket }) => socket.bytesRead)).toEqual([0, 0]);
		ends[0]?.();
		for (const client of clients) await soon(() => client.received).toContain('0 bytes');
	});

	test('a response is written although its connection closes after it', async () => {
		const { dial } = await startServer();
		const client = dial();
		client.socket.write('POST / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
		await soon(() => client.closed).toBe(true);
		expect(client.received).toContain('0 bytes');
	});

	test('R01 the first slice is parsed at once, and each further slice in a turn of its own', async () => {
		const turns = manualTurns();
		const { pieces, dial } = await startServer(turns);
		const head = post(4 * SLICE);
		dial().socket.write(head + 'a'.repeat(4 * SLICE));
		await soon(() => pieces.length).toBe(1);
		expect(pieces).toEqual([SLICE - head.length]);
		while (pieces.length < 5) {
			const before = pieces.length;
			await soon(() => turns.size).toBe(1);
			expect(pieces).toHaveLength(before);
			turns.take();
			await soon(() => pieces.length).toBe(before + 1);
		}
	});

	test('R02 while too many connections wait, one that sends more than a slice is closed; short requests are answered', async () => {
		const turns = manualTurns();
		const { dial } = await startServer(turns);
		const long = post(4 * SLICE) + 'a'.repeat(4 * SLICE);
		const waiting = Array.from({ length: MAX_WAITING }, () => dial());
		for (const { socket } of waiting) socket.write(long);
		await soon(() => turns.size).toBe(MAX_WAITING);
		const further = dial();
		further.socket.write(long);
		await soon(() => further.closed).toBe(true);
		const short = dial();
		short.socket.write(post(1) + 'a');
		await soon(() => short.received).toContain('\r\n\r\n1 bytes');
		expect(waiting.filter(({ closed }) => closed)).toEqual([]);
		expect(turns.size).toBe(MAX_WAITING);
	});

	test('R01 a short request is answered while the slices of another connection wait', async () => {
		const turns = manualTurns();
		const { pieces, dial } = await startServer(turns);
		dial().socket.write(post(4 * SLICE) + 'a'.repeat(4 * SLICE));
		await soon(() => turns.size).toBe(1);
		const other = dial();
		other.socket.write(post(1) + 'a');
		await soon(() => other.received).toContain('\r\n\r\n1 bytes');
		expect(pieces).toHaveLength(2);
	});

	test('a server timeout closes a connection that sends nothing', async () => {
		const { server, dial } = await startServer();
		server.timeout = 20;
		const client = dial();
		client.socket.write('POST / HTTP/1.1\r\n');
		await soon(() => client.closed).toBe(true);
	});

	test('a long response arrives completely, although its client reads slowly', async () => {
		const { server, dial } = await startServer();
		const pieces = Array.from({ length: 100 }, () => 'a'.repeat(64 * 1024));
		server.removeAllListeners('request');
		let waited = 0;
		server.on('request', (_request, response: ServerResponse) => {
			response.on('drain', () => (waited += 1));
			void pipeline(Readable.from(pieces), response);
		});
		const client = dial();
		client.socket.pause();
		client.socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
		await once(server, 'request');
		client.socket.resume();
		await soon(() => client.closed).toBe(true);
		expect(client.received.replace(/[^a]/g, '').length).toBeGreaterThanOrEqual(100 * 64 * 1024);
		expect(waited).toBeGreaterThan(0);
	});

	test('a malformed request is answered and its connection closed', async () => {
		const { dial } = await startServer();
		const client = dial();
		client.socket.write('nonsense\r\n\r\n');
		await soon(() => client.closed).toBe(true);
		expect(client.received).toContain('HTTP/1.1 400 Bad Request');
	});
});
