import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { newAddress, nextClient, SEND, sendCode } from '../../support/http/client.ts';
import { startSmtpSink, type SmtpSink } from '../../support/mail/smtp-sink.ts';

describe('requests sent ahead on one connection', () => {
	let sink: SmtpSink;
	let server: BuiltServer;
	let socket: Socket | undefined;
	beforeAll(async () => {
		sink = await startSmtpSink();
		const env = {
			EMAIL_API_KEY: 'none',
			EMAIL_HOST: '127.0.0.1',
			EMAIL_PORT: String(sink.port),
			EMAIL_ALLOW_PLAIN: '1',
			EMAIL_FROM: 'no-reply@postern.test'
		};
		server = await startBuiltServer({ env });
	});
	afterAll(async () => {
		socket?.destroy();
		await server.stop();
		await sink.stop();
	});

	test('R01 the second one starts only after the response to the first', async () => {
		const [first, second, other] = [newAddress(), newAddress(), newAddress()];
		const from = nextClient();
		const sendTo = (email: string): string => {
			const body = JSON.stringify({ email, type: 'sign-in' });
			return (
				`POST ${SEND} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: ${from}\r\n` +
				`content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`
			);
		};
		const recipients = (): readonly string[] => sink.mails.flatMap((mail) => mail.recipients);
		// The first request waits for the mail server, which does not answer.
		sink.behave('hang_after_data', first);
		let heard = '';
		socket = connect(Number(new URL(server.address).port), '127.0.0.1');
		socket.setEncoding('utf8').on('data', (text: string) => (heard += text));
		socket.write(sendTo(first) + sendTo(second));
		await expect.poll(() => sink.named.join(' ')).toContain(first);
		// A request that arrives later, on another connection, is answered meanwhile.
		expect((await sendCode(server, other)).status).toBe(200);
		expect(recipients()).toContain(other);
		expect(recipients()).not.toContain(second);
		expect(heard).toBe('');

		sink.behave('accept');
		sink.dropConnections();
		await expect.poll(() => heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
		expect(recipients()).toContain(second);
	});
});
