import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { percentile } from '../../bench/statistics.ts';
import { openBrowser } from '../../tests/support/http/browser.ts';
import {
	call,
	inBatches,
	me,
	newAddress,
	nextClient,
	SEND,
	sendCode,
	signIn,
	times
} from '../../tests/support/http/client.ts';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import { memoryOf, processOf } from '../../tests/support/process/server-process.ts';
import { attack, openClient, worstShots } from './attacking-process.ts';
import { atMost, timeOf, withServer, type Measure } from './kit.ts';
import { URLENCODED } from './worst-forms.ts';

// R01 to R03: how long other clients wait while some send what costs the server most.

/** The 99th percentile of get-session of three other clients during an attack. */
const p99 = async (server: BuiltServer, ...order: Parameters<typeof attack>) => {
	const { cookie } = await signIn(server);
	const took: number[] = [];
	let done = false;
	const others = times(3, async () => {
		while (!done) {
			took.push(await timeOf(() => me(server, { cookie })));
			await pause(10);
		}
	});
	await attack(...order);
	done = true;
	await Promise.all(others);
	return percentile(took, 0.99);
};

/** The slowest of the worst requests, alone: the best of five tries, in milliseconds. */
const slowestAlone = async (server: BuiltServer): Promise<number> => {
	const headersOf = await openClient(server);
	const best: number[] = [];
	for (const shot of worstShots(server.address)) {
		const once = () => call(server, shot.path, { ...shot, headers: headersOf(shot) });
		const took = await inBatches(
			times(5, () => once),
			1,
			timeOf
		);
		best.push(Math.min(...took));
	}
	return Math.max(...best);
};

/** R01 */
export const worstRequests: Measure = (report) =>
	withServer('SQLite', {}, async (server) => {
		report(atMost('the slowest of the worst requests, alone', await slowestAlone(server), 50));
		const time = await p99(server, server.address, 16, 'bodies and pages');
		report(atMost('p99 of other clients, 16 clients: bodies and pages', time, 250));
	});

/** R02: what 800 half-sent bodies of 800 clients cost a server, and others' requests meanwhile. */
export const halfSent: Measure = (report) =>
	withServer('SQLite', {}, async (server) => {
		// The memory after a few honest users is not part of the cost of an attack.
		await inBatches(times(100, nextClient), 10, () => call(server, '/auth/sign-in'));
		await inBatches(times(4, nextClient), 2, () => signIn(server));
		const browser = openBrowser(server);
		await browser.open('/auth/sign-in');
		const pid = processOf(server);
		const before = memoryOf(pid);
		let most = before;
		const watch = setInterval(() => (most = Math.max(most, memoryOf(pid))), 50);
		const sockets = times(800, (number) => sendHalf(server, number, browser.cookies()));
		await Promise.all(sockets.map((socket) => once(socket, 'ready')));
		await pause(1000);
		const { status: whole } = await sendCode(server, newAddress());
		const inTwo = await sentInTwo(server);
		clearInterval(watch);
		for (const socket of sockets) socket.destroy();
		report({
			what: 'memory of 800 half-sent bodies, with an honest POST in one piece and in two',
			measured: `${(most - before).toFixed(0)} MB, answers ${whole} and ${inTwo}`,
			bound: '100 MB, 200 and 200',
			isMet: most - before <= 100 && whole === 200 && inTwo === 200
		});
	});

/** An unfinished form body, at the size limit of a form or far above it. */
const sendHalf = ({ address }: BuiltServer, number: number, cookie: string): Socket => {
	const size = (number % 2 === 0 ? 64 : 500) * 1024;
	const socket = connect(Number(new URL(address).port), '127.0.0.1');
	socket.on('error', () => undefined).resume();
	socket.write(
		'POST /auth/sign-in?/request HTTP/1.1\r\nhost: x\r\n' +
			`x-forwarded-for: 198.51.${number >> 4}.${number & 15}\r\norigin: ${address}\r\n` +
			`cookie: ${cookie}\r\ncontent-type: ${URLENCODED}\r\ntransfer-encoding: chunked\r\n\r\n` +
			`${size.toString(16)}\r\n${'a=b&'.repeat(size / 4).slice(1)}`
	);
	return socket;
};

/** The status of a POST whose last bytes arrive a moment later, as from a phone. */
const sentInTwo = async ({ address }: BuiltServer): Promise<number | undefined> => {
	const body = JSON.stringify({ email: newAddress(), type: 'sign-in' });
	const headers = {
		'content-type': 'application/json',
		'content-length': body.length,
		'x-forwarded-for': nextClient()
	};
	const outgoing = request(address + SEND, { method: 'POST', agent: false, headers });
	outgoing.write(body.slice(0, 9));
	setTimeout(() => outgoing.end(body.slice(9)), 200);
	const [{ statusCode }] = (await once(outgoing, 'response')) as [IncomingMessage];
	return statusCode;
};

/** R03 */
export const pageFlood: Measure = (report) =>
	withServer('SQLite', {}, async (server) => {
		const time = await p99(server, server.address, 30, 'pages');
		report(atMost('p99 of other clients, 30 clients: all public pages, HEAD and GET', time, 250));
	});
