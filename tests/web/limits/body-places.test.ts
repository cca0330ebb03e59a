import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { withBodyPlaces, type BodyPlacesOptions } from '#lib/adapters/web/limits/body-places.ts';

const PATIENCE = 300;
const open: { server: Server; sockets: Socket[] }[] = [];
afterEach(() => {
	for (const { server, sockets } of open.splice(0)) {
		for (const socket of sockets) socket.destroy();
		server.close();
		server.closeAllConnections();
	}
});

interface Client {
	readonly socket: Socket;
	received: string;
	closed: boolean;
}

/** A server that reads each body whole before it answers, unless the path says otherwise. */
const serverWith = async ({
	perClient = 3,
	total = 6,
	patience = 60_000,
	young = 60_000,
	...time
}: Partial<BodyPlacesOptions> = {}) => {
	const served: string[] = [];
	const requests: IncomingMessage[] = [];
	const serve = (request: IncomingMessage, response: ServerResponse): void => {
		served.push(request.method ?? '');
		requests.push(request);
		if (request.url === '/unread') return void response.writeHead(403).end('no');
		if (request.url !== '/held') request.resume();
		request.on('error', () => undefined).on('end', () => response.end('done'));
	};
	const server = createServer(
		withBodyPlaces(serve, {
			addressOf: ({ headers }) => String(headers['x-from'] ?? '192.0.2.1'),
			refuse: (_, response) => response.writeHead(429, { connection: 'close' }).end(),
			elapsed: () => performance.now(),
			perClient,
			total,
			patience,
			young,
			...time
		})
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const sockets: Socket[] = [];
	open.push({ server, sockets });
	const send = (text: string): Client => {
		const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
		const client: Client = { socket, received: '', closed: false };
		sockets.push(socket);
		socket.setEncoding('utf8').on('data', (data: string) => (client.received += data));
		socket.on('error', () => undefined).on('close', () => (client.closed = true));
		socket.write(text);
		return client;
	};
	/** Begins a body of ten bytes and sends some of it. */
	const half = (from: string, sent = '', path = '/'): Client =>
		send(
			`POST ${path} HTTP/1.1\r\nhost: x\r\nx-from: ${from}\r\ncontent-length: 10\r\n\r\n${sent}`
		);
	const whole = (from: string): Client => half(from, '0123456789');
	const bytesRead = (): number => requests.reduce((sum, { socket }) => sum + socket.bytesRead, 0);
	/** Returns once the server has read the text from each client. */
	const write = async (clients: readonly Client[], text: string): Promise<void> => {
		const expected = bytesRead() + clients.length * text.length;
		for (const { socket } of clients) socket.write(text);
		await soon(bytesRead).toBe(expected);
	};
	return { served, requests, send, half, whole, write };
};

const soon = <T>(read: () => T) => expect.poll(read, { interval: 5 });
const answered = async (client: Client, status: number): Promise<void> =>
	soon(() => client.received).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
const dropped = (client: Client): Promise<void> => answered(client, 408);
/** All earlier data has arrived, because this request came after it. */
const settled = async (send: (text: string) => Client): Promise<void> =>
	answered(send('GET / HTTP/1.1\r\nhost: x\r\n\r\n'), 200);

describe('places for bodies that are arriving', () => {
	test('a client has a fixed number and no more; one more body is refused unread, those of other clients are not', async () => {
		const { served, send, half } = await serverWith();
		const held = ['a', 'b', 'c'].map(() => half('192.0.2.1'));
		await soon(() => served.length).toBe(3);
		await answered(half('192.0.2.1'), 429);
		await answered(half('2001:db8::1', '0123456789'), 200);
		expect(served).toHaveLength(4);
		// An IPv6 client is its /64.
		for (const host of [1, 2, 3]) half(`2001:db8::${host}`);
		await soon(() => served.length).toBe(7);
		await answered(half('2001:db8::4'), 429);
		await settled(send);
		expect(held.some(({ closed }) => closed)).toBe(false);
	});

	test('a client that holds all its places with slow bodies does not block others behind its address', async () => {
		let now = 0;
		const { served, half, write } = await serverWith({ young: 20, elapsed: () => now });
		const slow = half('192.0.2.1');
		await soon(() => served.length).toBe(1);
		const others = [half('192.0.2.1'), half('192.0.2.1')];
		await soon(() => served.length).toBe(3);
		await write(others, '0123');
		now += 20;
		const late = half('192.0.2.1', '0');
		await dropped(slow);
		late.socket.write('123456789');
		await answered(late, 200);
		expect(others.map(({ closed }) => closed)).toEqual([false, false]);
	});

	test('a body that arrives in one piece needs none, even when all are taken', async () => {
		const { served, half, whole } = await serverWith({ perClient: 1, total: 1 });
		const held = half('192.0.2.1', '01');
		await soon(() => served.length).toBe(1);
		await answered(whole('192.0.2.1'), 200);
		await answered(whole('198.51.100.1'), 200);
		expect(held.closed).toBe(false);
	});

	test('when all are taken, the slowest body of the network that holds most of them is dropped', async () => {
		let now = 0;
		const { served, half, write } = await serverWith({ young: 20, elapsed: () => now });
		// The first has sent nothing either, but its network holds fewer places.
		const other = half('198.51.100.7');
		const fast = half('192.0.2.1');
		const slow = half('192.0.2.200');
		const faster = [half('192.0.2.200'), half('192.0.2.1')];
		const third = half('2001:db8:1::1');
		await soon(() => served.length).toBe(6);
		await write([fast, ...faster], '0123');
		now += 20;
		const late = half('203.0.113.9', '0');
		await dropped(slow);
		late.socket.write('123456789');
		await answered(late, 200);
		const kept = [other, fast, ...faster, third];
		expect(kept.map(({ closed }) => closed)).toEqual(kept.map(() => false));
	});

	test('a body that has just begun is not the slowest one', async () => {
		let now = 0;
		const { served, half } = await serverWith({ total: 2, young: 20, elapsed: () => now });
		const first = half('192.0.2.1', '0123');
		await soon(() => served.length).toBe(1);
		now += 20;
		const second = half('198.51.100.1');
		await soon(() => served.length).toBe(2);
		half('203.0.113.9');
		await dropped(first);
		expect(second.closed).toBe(false);
	});

	test('an IPv6 /48 is one network', async () => {
		const { served, half } = await serverWith({ total: 3 });
		const honest = half('192.0.2.1');
		const many = [half('2001:db8:5:1::1'), half('2001:db8:5:2::1')];
		await soon(() => served.length).toBe(3);
		half('2001:db8:6::1');
		await soon(() => many.filter(({ closed }) => closed).length).toBe(1);
		expect(honest.closed).toBe(false);
	});

	test('a body that stops arriving is dropped with 408; one that arrives slowly is not, nor one that waits for the server', async () => {
		let now = 0;
		let check: () => void = () => undefined;
		const { requests, half } = await serverWith({
			patience: PATIENCE,
			elapsed: () => now,
			repeat: (work) => (check = work)
		});
		const stopped = half('192.0.2.1', '01');
		await soon(() => requests.length).toBe(1);
		const trickling = half('192.0.2.2');
		await soon(() => requests.length).toBe(2);
		const unreadByUs = half('192.0.2.3', '01', '/held');
		await soon(() => requests.length).toBe(3);
		const trickle = async (): Promise<void> => {
			const before = requests[1]?.socket.bytesRead ?? 0;
			trickling.socket.write('x');
			await soon(() => requests[1]?.socket.bytesRead).toBe(before + 1);
			now += PATIENCE / 3;
			check();
		};
		await trickle();
		await trickle();
		expect(stopped.closed).toBe(false);
		await trickle();
		await dropped(stopped);
		for (let byte = 4; byte <= 9; byte += 1) await trickle();
		trickling.socket.write('x');
		await answered(trickling, 200);
		expect(unreadByUs.closed).toBe(false);
		requests[2]?.resume();
		unreadByUs.socket.write('23456789');
		await answered(unreadByUs, 200);
	});

	test('endless chunks, and bodies that continue after their answer, take a place too', async () => {
		let now = 0;
		let check: () => void = () => undefined;
		const { served, send, half } = await serverWith({
			perClient: 2,
			patience: PATIENCE,
			elapsed: () => now,
			repeat: (work) => (check = work)
		});
		const chunked = send(
			'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\n01\r\n'
		);
		const refusedEarly = half('192.0.2.1', '01', '/unread');
		await answered(refusedEarly, 403);
		await answered(half('192.0.2.1'), 429);
		expect(served).toHaveLength(2);
		chunked.socket.write('0\r\n\r\n');
		await answered(chunked, 200);
		check();
		now += PATIENCE;
		check();
		// It has its answer already, so the server sends nothing more.
		await soon(() => refusedEarly.closed).toBe(true);
		expect(refusedEarly.received).not.toContain('HTTP/1.1 408');
	});

	test('no place leaks: after clients that disconnect, pipeline, expect to continue or keep the connection, all are free', async () => {
		const { served, send, half } = await serverWith({ perClient: 2 });
		for (let round = 1; round <= 10; round += 1) {
			const disconnected = half('192.0.2.1');
			await soon(() => served.length).toBe(round);
			disconnected.socket.resetAndDestroy();
		}
		const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n';
		const pipelined = send(`${post}\r\n0123456789${post}\r\n01234`);
		await soon(() => served.length).toBe(12);
		for (let round = 0; round < 5; round += 1) {
			pipelined.socket.write(`56789${post}\r\n01234`);
			await soon(() => served.length).toBe(13 + round);
		}
		pipelined.socket.write('56789');
		await soon(() => pipelined.received.split('done').length).toBe(8);
		for (let round = 0; round < 5; round += 1) {
			const patient = send(`${post}expect: 100-continue\r\nconnection: close\r\n\r\n`);
			await answered(patient, 100);
			patient.socket.write('0123456789');
			await soon(() => patient.closed).toBe(true);
			expect(patient.received).toContain('done');
		}
		const both = [half('192.0.2.1'), half('192.0.2.1')];
		for (const client of both) client.socket.write('0123456789');
		for (const client of both) await answered(client, 200);
	});

	test('dropping a body writes nothing into an earlier answer', async () => {
		const { served, send } = await serverWith({ perClient: 2, patience: PATIENCE });
		const first = 'POST /held HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n01';
		const second = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n';
		const client = send(first + second);
		await soon(() => served.length).toBe(2);
		await soon(() => client.closed).toBe(true);
		expect(client.received).not.toContain('HTTP/1.1 408');
	});

	test('requests without a body are never counted', async () => {
		const { send } = await serverWith({ perClient: 1, total: 1 });
		for (let round = 0; round < 5; round += 1) await settled(send);
	});
});
