import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openMailer } from '#lib/adapters/mail/open-mailer.ts';
import { configOf } from '../../support/web/config.ts';
import type { Delivery, Mail } from '#lib/domain/mail.ts';
import type { Code } from '#lib/domain/secret.ts';
import { aRequestSource, anEmail, start } from '../../support/domain/builders.ts';
import { times } from '../../support/http/client.ts';
import { aSigner } from '../../support/domain/fixture.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';

const CONNECTIONS = 5;

let server: Server;
const sockets = new Set<Socket>();
afterEach(async () => {
	for (const socket of sockets) socket.destroy();
	await new Promise((resolve) => server.close(resolve));
});

/** The configured mailer before a mail server that accepts connections and never says anything. */
const beforeSilentServer = async () => {
	server = createServer((socket) => void sockets.add(socket.on('error', () => undefined)));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const config = configOf({
		EMAIL_API_KEY: 'none',
		EMAIL_HOST: '127.0.0.1',
		EMAIL_PORT: String((server.address() as AddressInfo).port),
		EMAIL_ALLOW_PLAIN: '1',
		EMAIL_FROM: 'no-reply@postern.test'
	});
	const timing = fakeTiming();
	const networkPrefixOf = (address: string): string => address;
	const messageSigner = aSigner();
	const tools = { log: () => undefined, networkPrefixOf, timing, messageSigner };
	const { mailer } = openMailer(config, tools);
	const outcomes: (Delivery | 'waits')[] = [];
	/** Requests emails from one network. They stay `waits` until they have an outcome. */
	const send = (count: number, network: string): void => {
		for (const mail of times(count, () => codeFor(network))) {
			const index = outcomes.push('waits') - 1;
			void mailer.send(mail).then((delivery) => (outcomes[index] = delivery));
		}
	};
	const refused = (): number => outcomes.filter((outcome) => outcome === 'busy').length;
	return { timing, send, refused };
};

const codeFor = (ipAddress: string): Mail => ({
	kind: 'sign_in_code',
	to: anEmail(),
	code: '123456' as Code,
	lifetime: 600,
	at: start,
	source: aRequestSource({ ipAddress })
});

describe('R04: the emails that requests wait for', () => {
	test('1,000 wait; one more of the longest line is refused at once', async () => {
		const { timing, send, refused } = await beforeSilentServer();
		// A network leaves one connection to the others.
		send(CONNECTIONS - 1 + 1_000, 'network 0');
		await timing.advance(0);
		expect(refused()).toBe(0);
		send(1, 'network 0');
		await timing.advance(0);
		expect(refused()).toBe(1);
		// The first email of another network takes the last connection, and the second one a turn.
		send(2, 'network 1');
		await timing.advance(0);
		expect(refused()).toBe(2);
	});

	test('an email waits for five seconds and no longer', async () => {
		const { timing, send, refused } = await beforeSilentServer();
		send(CONNECTIONS, 'network 0');
		await timing.advance(4_999);
		expect(refused()).toBe(0);
		await timing.advance(1);
		expect(refused()).toBe(1);
	});
});
