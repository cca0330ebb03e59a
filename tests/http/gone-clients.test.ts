import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { call, newAddress, times, API, SEND } from '../support/http-client.ts';
import { onOneServer } from '../support/http-worlds.ts';
import { processOf } from '../support/server-process.ts';

const EACH = 10;

describe('a request whose socket is gone', () => {
	onOneServer((world) => {
		const email = newAddress();
		const json = JSON.stringify({ email, type: 'sign-in' });
		const sendCode = `POST ${SEND} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
		const byAdapter = sendCode.replace('/api/', '/%61pi/');
		const reads = `GET ${API}/get-session HTTP/1.1\r\nhost: x\r\n\r\n`;

		/** Sends the bytes and resets the connection. */
		const sendAndReset = async (bytes: string): Promise<void> => {
			const socket = connect(Number(new URL(world.server.address).port), '127.0.0.1');
			await once(socket, 'connect');
			socket.on('error', () => undefined).write(bytes, () => socket.resetAndDestroy());
			await once(socket, 'close');
		};

		test.skipIf(process.platform !== 'linux')(
			'R15 is neither worked on nor counted, for any way it was sent',
			async () => {
				// Once before, so that the server has nothing left to load.
				await call(world.server, `${API}/ok`);
				const before = world.server.lines.length;
				const server = processOf(world.server);
				// The kernel accepts the connections meanwhile, so each is over before the server reads it.
				process.kill(server, 'SIGSTOP');
				try {
					const sent = [sendCode, byAdapter, reads].flatMap((bytes) => times(EACH, () => bytes));
					await Promise.all(sent.map(sendAndReset));
				} finally {
					process.kill(server, 'SIGCONT');
				}
				// Connections are accepted in order, so this one comes after them.
				expect((await call(world.server, `${API}/ok`)).status).toBe(200);
				const events = world.server.lines
					.slice(before)
					.filter((line) => line.startsWith('{'))
					.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
				expect(events.map(({ event, route }) => [event, route])).toEqual([
					['request', `${API}/ok`]
				]);
				expect(world.server.codesSentTo(email)).toBe(0);
				const rows = await world.database.rows('select * from throttle');
				expect(rows).toEqual([]);
			}
		);
	});
});
