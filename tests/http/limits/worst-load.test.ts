import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { attack, halfSent, PUBLIC_PAGES, type Attack } from '../../support/http/attack.ts';
import { openBrowser } from '../../support/http/browser.ts';
import {
	call,
	inBatches,
	ME,
	newAddress,
	rounds,
	SEND,
	signIn,
	tally,
	times
} from '../../support/http/client.ts';
import { whileAsking } from '../../support/http/pulse.ts';
import { memoryOf, processOf } from '../../support/process/server-process.ts';

// Memory is read in /proc.
const elsewhere = process.platform !== 'linux';
const LENGTH = rounds(1500, 10_000);

/** Whether get-session of other clients is answered with 200 while `work` goes on. */
const othersServed = async (server: BuiltServer, work: () => Promise<unknown>): Promise<void> => {
	const { cookie } = await signIn(server);
	const [, statuses] = await whileAsking(server, [[ME, { headers: { cookie } }]], work);
	expect(tally(statuses)).toEqual({ 200: statuses.length });
};

/** The largest growth of a server’s memory above its first value, in megabytes. */
const growth = async (server: BuiltServer, work: () => Promise<unknown>): Promise<number> => {
	const pid = processOf(server);
	const before = memoryOf(pid);
	let most = before;
	const watch = setInterval(() => (most = Math.max(most, memoryOf(pid))), 50);
	await work().finally(() => clearInterval(watch));
	return most - before;
};

describe.skipIf(elsewhere)('the worst load from unauthenticated clients', () => {
	let server: BuiltServer;
	beforeAll(async () => {
		server = await startBuiltServer();
		// The memory of a process after it has done every kind of work.
		await attack({ ...(await order('bodies and pages', 4)), milliseconds: 400 });
	});
	afterAll(async () => {
		expect(await server.stop()).toBe(0);
	});

	const order = (what: Attack['with'], clients: number): Attack => ({
		...{ address: server.address, clients, milliseconds: LENGTH, with: what, pages: PUBLIC_PAGES }
	});
	test.each<[string, Attack['with']]>([
		['pathological bodies and page requests', 'bodies and pages'],
		['forms in one-byte chunks', 'form in one-byte chunks'],
		['JSON in one-byte chunks', 'JSON in one-byte chunks'],
		['pipelined requests without end', 'requests sent ahead']
	])(
		'R01 with 32 clients that send %s, other clients are served, and memory stays bounded',
		async (_, what) => {
			const grown = await growth(server, () => othersServed(server, () => attack(order(what, 32))));
			expect(grown).toBeLessThan(100);
		}
	);

	test('R03 with 30 clients that request all public pages by HEAD and GET, other clients are served', () =>
		othersServed(server, () => attack(order('pages', 30))));
});

describe.skipIf(elsewhere)('bodies that never end', () => {
	let server: BuiltServer;
	beforeAll(async () => {
		server = await startBuiltServer();
		// The memory after a few honest users is not part of the cost of an attack.
		await inBatches(
			times(100, () => '/auth/sign-in'),
			10,
			(path) => call(server, path)
		);
		await inBatches(
			times(4, () => server),
			2,
			(one) => signIn(one)
		);
	});
	afterAll(async () => {
		expect(await server.stop()).toBe(0);
	});

	test('R02 with 800 bodies that never end, memory stays bounded, and an honest body still arrives, in one piece or in two', async () => {
		const browser = openBrowser(server);
		await browser.open('/auth/sign-in');
		const sources = times(800, (number) => `198.51.${number >> 4}.${number & 15}`);
		let held: { close(): void } | undefined;
		const grown = await growth(server, async () => {
			held = await halfSent(server.address, sources, browser.cookies());
			await pause(1000);
			expect(
				(await call(server, SEND, { json: { email: newAddress(), type: 'sign-in' } })).status
			).toBe(200);
			expect(await sentInTwo(server)).toMatch(/^HTTP\/1\.1 200 /);
		});
		held?.close();
		expect(grown).toBeLessThan(100);
	});
});

/** A body whose last bytes arrive a moment later, as from a phone. */
const sentInTwo = (server: BuiltServer): Promise<string> =>
	new Promise((resolve) => {
		const body = JSON.stringify({ email: newAddress(), type: 'sign-in' });
		let received = '';
		const socket = connect(Number(new URL(server.address).port), '127.0.0.1');
		socket.setEncoding('utf8').on('data', (text: string) => (received += text));
		socket.on('error', () => undefined).on('close', () => resolve(received));
		socket.write(
			`POST ${SEND} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.77\r\nconnection: close\r\n` +
				`content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 9)}`
		);
		setTimeout(() => socket.write(body.slice(9)), 200);
	});
