import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { MAX_UNANSWERED, withPipelineBound } from '#lib/adapters/web/limits/pipelined-requests.ts';

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
const sendAhead = async (count: number) => {
	const waiting: ServerResponse[] = [];
	const server = createServer(
		withPipelineBound((_, response) => void waiting.push(response), MAX_UNANSWERED)
	);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
	open.push({ server, socket });
	const client = { heard: '', closed: false };
	socket.setEncoding('utf8').on('data', (data: string) => (client.heard += data));
	socket.on('error', () => undefined).on('close', () => (client.closed = true));
	socket.write(GET.repeat(count));
	return { waiting, socket, client };
};

const soon = <T>(read: () => T) => expect.poll(read, { interval: 5, timeout: 3000 });
const answers = (heard: string): number => heard.split('HTTP/1.1 200').length - 1;

describe('requests that are sent ahead over one connection', () => {
	test('R01 more than 32 without a response end the connection, and the rest is not served', async () => {
		const { waiting, client } = await sendAhead(MAX_UNANSWERED + 50);
		await soon(() => client.closed).toBe(true);
		expect(waiting).toHaveLength(MAX_UNANSWERED);
	});

	test('32 are all answered, and those that follow are as well', async () => {
		const { waiting, socket, client } = await sendAhead(MAX_UNANSWERED);
		await soon(() => waiting.length).toBe(MAX_UNANSWERED);
		for (const response of waiting.splice(0)) response.end();
		await soon(() => answers(client.heard)).toBe(MAX_UNANSWERED);
		socket.write(GET.repeat(MAX_UNANSWERED));
		await soon(() => waiting.length).toBe(MAX_UNANSWERED);
		for (const response of waiting.splice(0)) response.end();
		await soon(() => answers(client.heard)).toBe(2 * MAX_UNANSWERED);
		expect(client.closed).toBe(false);
	});
});
