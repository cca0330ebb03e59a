import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
	MAX_RUNNING,
	MAX_UNANSWERED,
	withPipelineBound
} from '#lib/adapters/web/limits/pipelined-requests.ts';

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
	const server = createServer(withPipelineBound((_, response) => void waiting.push(response)));
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
	test('R01 are served 32 at a time, in their order; the others wait for responses', async () => {
		const count = 3 * MAX_RUNNING;
		const { waiting, client } = await sendAhead(count);
		for (let answered = 0; answered < count; answered += MAX_RUNNING) {
			await soon(() => waiting.length).toBe(MAX_RUNNING);
			for (const response of waiting.splice(0)) response.end();
			await soon(() => answers(client.heard)).toBe(answered + MAX_RUNNING);
		}
		expect(client.closed).toBe(false);
	});

	test('R01 a thousand may be unanswered; one more ends the connection', async () => {
		const { waiting, client, socket } = await sendAhead(MAX_UNANSWERED);
		await soon(() => waiting.length).toBe(MAX_RUNNING);
		expect(client.closed).toBe(false);
		socket.write(GET);
		await soon(() => client.closed).toBe(true);
		expect(waiting).toHaveLength(MAX_RUNNING);
	});
});
