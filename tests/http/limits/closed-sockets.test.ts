import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { UNKNOWN_ADDRESS } from '#lib/adapters/web/edge/limits/client-address.ts';
import { dropIdleConnections } from '../../support/http/agent.ts';
import { call, freshCode, newAddress, times, API, SEND } from '../../support/http/client.ts';
import { onOneServer } from '../../support/http/fixtures.ts';
import { processOf } from '../../support/process/server-process.ts';

const EACH = 10;
const LAST = '203.0.113.9';

describe('a request whose socket is closed', () => {
	onOneServer(
		(fixture) => {
			const email = newAddress();
			const json = JSON.stringify({ email, type: 'sign-in' });
			const sendCode = `POST ${SEND} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n${json}`;
			const byAdapter = sendCode.replace('/api/', '/%61pi/');
			const reads = `GET ${API}/get-session HTTP/1.1\r\nhost: x\r\n\r\n`;

			/** Sends the bytes and resets the connection. */
			const sendAndReset = async (bytes: string): Promise<void> => {
				const socket = connect(Number(new URL(fixture.server.address).port), '127.0.0.1');
				await once(socket, 'connect');
				socket.on('error', () => undefined).write(bytes, () => socket.resetAndDestroy());
				await once(socket, 'close');
			};

			test.skipIf(process.platform !== 'linux')(
				'R15 is neither handled nor counted, for any kind of request',
				async () => {
					// A first request, so that the server has loaded everything.
					await call(fixture.server, `${API}/ok`);
					const before = fixture.server.lines.length;
					const server = processOf(fixture.server);
					// The kernel accepts the connections meanwhile, so each is over before the server reads it.
					process.kill(server, 'SIGSTOP');
					try {
						const sent = [sendCode, byAdapter, reads].flatMap((bytes) => times(EACH, () => bytes));
						await Promise.all(sent.map(sendAndReset));
					} finally {
						process.kill(server, 'SIGCONT');
					}
					// On a new connection, which the server accepts after all earlier ones.
					dropIdleConnections();
					await freshCode(fixture.server, newAddress(), { 'x-forwarded-for': LAST });
					const clients = (): readonly unknown[] =>
						fixture.server.lines
							.slice(before)
							.filter((line) => line.startsWith('{'))
							.map((line) => (JSON.parse(line) as Readonly<Record<string, unknown>>)['client']);
					// An answer may arrive before the line that was printed before it.
					await expect.poll(clients).toContain('203.0.113.0/24');
					expect(clients()).not.toContain(UNKNOWN_ADDRESS);
					expect(fixture.server.codesSentTo(email)).toBe(0);
				}
			);
		},
		{},
		{ alone: true }
	);
});
