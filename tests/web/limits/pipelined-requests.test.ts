import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fairTurns } from '#lib/adapters/web/limits/fair-turns.ts';
import {
	HOLD_ABOVE,
	MAX_UNANSWERED,
	withPipelineBound
} from '#lib/adapters/web/limits/pipelined-requests.ts';
import { sliceReads } from '#lib/adapters/web/limits/slice-reads.ts';
import { SLICE } from '#lib/adapters/web/limits/sliced-connection.ts';

const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n';

const open: { server: Server; socket: Socket }[] = [];
afterEach(() => {
	for (const { server, socket } of open.splice(0)) {
		socket.destroy();
		server.close();
		server.closeAllConnections();
	}
});

/** Sends requests ahead to a server that answers when it is told to. */
const sendAhead = async (count: number, { sliced = true } = {}) => {
	const started: ServerResponse[] = [];
	const parsed = { requests: 0 };
	const turns = fairTurns(() => 0);
	const bound = withPipelineBound((_, response) => void started.push(response), turns);
	const server = createServer((request, response) => {
		parsed.requests += 1;
		bound(request, response);
	});
	if (sliced) sliceReads(server, turns);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
	open.push({ server, socket });
	const client = { received: '', closed: false };
	socket.setEncoding('utf8').on('data', (data: string) => (client.received += data));
	socket.on('error', () => undefined).on('close', () => (client.closed = true));
	socket.write(GET.repeat(count));
	return { started, parsed, socket, client };
};

const soon = <T>(read: () => T) => expect.poll(read, { interval: 1 });
const answers = (received: string): number => received.split('HTTP/1.1 200').length - 1;

describe('pipelined requests on one connection', () => {
	test('R01 are served one at a time, in order', async () => {
		const { started, client } = await sendAhead(50);
		for (let answered = 0; answered < 50; answered += 1) {
			await soon(() => started.length).toBe(answered + 1);
			started.at(-1)?.setHeader('x-number', answered).end();
		}
		await soon(() => answers(client.received)).toBe(50);
		const order = [...client.received.matchAll(/x-number: (\d+)/g)].map(([, number]) =>
			Number(number)
		);
		expect(order).toEqual(order.toSorted((one, other) => one - other));
		expect(client.closed).toBe(false);
	});

	test('R01 are parsed only a slice ahead of the responses, however many there are', async () => {
		const { started, parsed, client } = await sendAhead(5000);
		const most = HOLD_ABOVE + 2 * Math.ceil(SLICE / GET.length);
		for (let answered = 0; answered < 200; answered += 1) {
			await soon(() => started.length).toBe(answered + 1);
			expect(parsed.requests - answered).toBeLessThanOrEqual(most);
			started.at(-1)?.end();
		}
		expect(client.closed).toBe(false);
	});

	test('R01 a thousand may wait; one more closes the connection', async () => {
		const { started, client, socket } = await sendAhead(MAX_UNANSWERED, { sliced: false });
		await soon(() => started.length).toBe(1);
		expect(client.closed).toBe(false);
		socket.write(GET);
		await soon(() => client.closed).toBe(true);
		expect(started).toHaveLength(1);
	});
});
