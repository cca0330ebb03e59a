import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { BuiltServer } from '../../tests/support/process/built-server.ts';
import { memoryOf, processOf } from '../../tests/support/process/server-process.ts';
import { openBrowser } from '../../tests/support/http/browser.ts';
import {
	call,
	inBatches,
	newAddress,
	SEND,
	signIn,
	times
} from '../../tests/support/http/client.ts';
import { URLENCODED } from './worst-forms.ts';

const KIB = 1024;

/** What 800 half-sent bodies of 800 clients cost a server, and others' requests meanwhile. */
export interface HalfSent {
	/** The largest growth of its memory, in megabytes. */
	readonly grown: number;
	/** The status of an honest POST. */
	readonly whole: number;
	/** The status of an honest POST whose last bytes arrive a moment later, as from a phone. */
	readonly inTwo: number;
}

export const halfSentBodies = async (server: BuiltServer): Promise<HalfSent> => {
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
	const browser = openBrowser(server);
	await browser.open('/auth/sign-in');
	const pid = processOf(server);
	const before = memoryOf(pid);
	let most = before;
	const watch = setInterval(() => (most = Math.max(most, memoryOf(pid))), 50);
	const sockets = times(800, (number) => halfSent(server, number, browser.cookies()));
	try {
		await Promise.all(sockets.map((socket) => once(socket, 'ready')));
		await pause(1000);
		const json = { email: newAddress(), type: 'sign-in' };
		const whole = (await call(server, SEND, { json })).status;
		return { whole, inTwo: await sentInTwo(server), grown: most - before };
	} finally {
		clearInterval(watch);
		for (const socket of sockets) socket.destroy();
	}
};

/** An unfinished form body, at the size limit of a form or far above it. */
const halfSent = ({ address }: BuiltServer, number: number, cookie: string): Socket => {
	const size = (number % 2 === 0 ? 64 : 500) * KIB;
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

const sentInTwo = ({ address }: BuiltServer): Promise<number> =>
	new Promise((resolve) => {
		const body = JSON.stringify({ email: newAddress(), type: 'sign-in' });
		let received = '';
		const socket = connect(Number(new URL(address).port), '127.0.0.1');
		socket.setEncoding('utf8').on('data', (text: string) => (received += text));
		socket
			.on('error', () => undefined)
			.on('close', () => resolve(Number(received.split(' ', 2)[1])));
		socket.write(
			`POST ${SEND} HTTP/1.1\r\nhost: x\r\nx-forwarded-for: 192.0.2.77\r\nconnection: close\r\n` +
				`content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body.slice(0, 9)}`
		);
		setTimeout(() => socket.write(body.slice(9)), 200);
	});
