import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { joined, tcpServer } from '../../support/process/tcp.ts';
import {
	bearer,
	call,
	newAddress,
	sendCode,
	signIn,
	verifyCode,
	ME
} from '../../support/http/client.ts';
import { openDatabase, sqliteFile } from '../../support/http/database.ts';
import { ENGINES_OF_FORM, present } from '../../support/http/fixtures.ts';
import { complaintsAbout } from './simulation/journal-check.ts';
import { startLoad } from './simulation/load.ts';
import { mailingThrough } from '../../support/mail/mail-settings.ts';
import { codeMailedTo } from '../../support/mail/mailed.ts';
import { createDatabase, dropDatabase } from '../../support/postgres/cluster.ts';
import { newSeed } from '../../support/http/seeded.ts';
import { startSmtpSink } from '../../support/mail/smtp-sink.ts';

const portOf = ({ address }: BuiltServer): number => Number(new URL(address).port);

/** Resolves when the server refuses new connections. */
const refusing = async (server: BuiltServer): Promise<void> => {
	const isRefused = (): Promise<boolean> =>
		new Promise((resolve) => {
			const socket = connect(portOf(server), '127.0.0.1');
			socket.once('connect', () => resolve(false)).once('error', () => resolve(true));
			socket.once('connect', () => socket.destroy());
		});
	await expect.poll(isRefused, { interval: 5 }).toBe(true);
};

/** One keep-alive connection, which sends the requests that a test gives it. */
const keptConnection = async (server: BuiltServer) => {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	const send = async (path: string): Promise<{ status: number; connection: string }> => {
		const request = get({ agent, host: '127.0.0.1', port: portOf(server), path });
		const [answer] = (await once(request, 'response')) as [IncomingMessage];
		answer.resume();
		await once(answer, 'end');
		return { status: answer.statusCode ?? 0, connection: String(answer.headers.connection) };
	};
	await send('/healthz');
	return { send, end: () => agent.destroy() };
};

/** A connection that sends nothing by itself. */
const openSocket = async (server: BuiltServer): Promise<Socket> => {
	const socket = connect(portOf(server), '127.0.0.1').on('error', () => undefined);
	await once(socket, 'connect');
	return socket;
};

const folders: string[] = [];
const newFile = (): string => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-shutdown-'));
	folders.push(folder);
	return `file:${join(folder, 'postern.db')}`;
};
afterEach(() => {
	for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const running = (code: string): string =>
	`--import=data:text/javascript,${encodeURIComponent(code)}`;
/** Stretches the linger time of a second, because a busy machine may need longer for a request. */
const LONG_LINGER = running(
	'const real=setTimeout;globalThis.setTimeout=(f,ms)=>ms===1000?real(f,20000).unref():real(f,ms)'
);

/** Busy for a moment at SIGTERM, as any process may be: requests arrive that it has not read yet. */
const BUSY = running(
	"process.on('SIGTERM',()=>Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,100))"
);

/** A proxy to a mail server that can hold back data after an email was handed over. */
const openSmtpProxy = async (targetPort: number) => {
	const inner = new Set<Socket>();
	let held = false;
	const { port, stop } = await tcpServer((client) => {
		const target = joined(client, targetPort);
		inner.add(target);
		client.pipe(target);
		target.on('data', (data: Buffer) => {
			client.write(data);
			// The server expects the text.
			if (held && /^354/m.test(data.toString('latin1'))) target.pause();
		});
	});
	return {
		port,
		stop,
		/** From now on the server’s answer to the text of an email does not arrive. */
		hold: () => {
			held = true;
		},
		/** Delivers the held data and everything after it. */
		release: () => {
			held = false;
			for (const target of inner) target.resume();
		}
	};
};

/** Connects each client with one of the instances in turn, or with another if that one refuses. */
const startBalancer = async () => {
	let ports: readonly number[] = [];
	let turn = 0;
	const forward = (client: Socket, [port, ...others]: readonly number[]): void => {
		if (port === undefined) return void client.destroy();
		let isOpen = false;
		const instance = connect(port, '127.0.0.1', () => {
			isOpen = true;
			client.once('close', () => instance.destroy());
			instance.once('close', () => client.destroy());
			client.pipe(instance).pipe(client);
		});
		instance.on('error', () => (isOpen ? client.destroy() : forward(client, others)));
	};
	const { port, stop } = await tcpServer((client) => {
		turn += 1;
		forward(client, turn % 2 === 0 ? ports : ports.toReversed());
	});
	return {
		address: `http://localhost:${port}`,
		stop,
		serve: (to: readonly number[]) => void (ports = to)
	};
};

describe('SIGTERM', () => {
	test('M14 the server exits with 0, finishes requests in flight, keeps acknowledged writes, and waits for no silent connection', async () => {
		const server = await startBuiltServer();
		const silent = [await openSocket(server), await openSocket(server)];
		const database = openDatabase(server.databaseUrl);
		const users = await Promise.all([1, 2, 3].map(() => signIn(server)));
		const requests = users.map(({ token }) => call(server, ME, { headers: bearer(token) }));
		await Promise.all(requests.slice(0, 1));
		const sessions = await database.rows('select id from session');
		await database.close();
		const code = await server.stop();
		for (const socket of silent) socket.destroy();
		const answers = await Promise.all(requests);
		expect([code, sessions.length]).toEqual([0, 3]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
	});

	test('M14 open connections get one more answer: alive, not ready, and the connection closes', async () => {
		const server = await startBuiltServer({ env: { NODE_OPTIONS: LONG_LINGER } });
		const connections = [await keptConnection(server), await keptConnection(server)];
		const ended = server.stop();
		await refusing(server);
		const [healthy, ready] = await Promise.all([
			present(connections[0]).send('/healthz'),
			present(connections[1]).send('/readyz')
		]);
		expect(healthy).toEqual({ status: 200, connection: 'close' });
		expect(ready).toEqual({ status: 503, connection: 'close' });
		expect(await ended).toBe(0);
		for (const { end } of connections) end();
	});

	test('M14 a request that waits for the mail server gets its answer, emails in progress are sent, and the WAL of SQLite is written back', async () => {
		const sink = await startSmtpSink();
		const proxy = await openSmtpProxy(sink.port);
		const databaseUrl = newFile();
		const server = await startBuiltServer({ databaseUrl, env: mailingThrough(proxy.port) });
		const sent = (email: string): number =>
			sink.mails.filter(({ recipients }) => recipients.includes(email)).length;
		const known = newAddress();
		await sendCode(server, known);
		const code = await codeMailedTo(sink, known);
		const waiting = newAddress();

		proxy.hold();
		// A welcome email follows this answer; a code email comes before the answer of its request.
		expect((await verifyCode(server, known, code)).status).toBe(200);
		const answer = sendCode(server, waiting);
		await expect.poll(() => [sent(waiting), existsWal(databaseUrl)]).toEqual([1, true]);
		const ended = server.stop();
		await refusing(server);
		proxy.release();

		const { status, headers } = await answer;
		expect([status, headers.connection]).toEqual([200, 'close']);
		expect(await ended).toBe(0);
		expect([sent(known), sent(waiting), existsWal(databaseUrl)]).toEqual([2, 1, false]);

		const again = await startBuiltServer({ databaseUrl });
		const used = await verifyCode(again, waiting, await codeMailedTo(sink, waiting));
		expect(used.status).toBe(200);
		await again.stop();
		await proxy.stop();
		await sink.stop();
	});

	test('M14 an answer after the linger time closes its connection, so that no client waits on it', async () => {
		const sink = await startSmtpSink();
		const proxy = await openSmtpProxy(sink.port);
		const server = await startBuiltServer({ env: mailingThrough(proxy.port) });
		proxy.hold();
		const email = newAddress();
		const answer = sendCode(server, email);
		await expect.poll(() => sink.mails.length).toBe(1);
		const idle = await openSocket(server);
		idle.write('GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n');
		await once(idle, 'data');
		const ended = server.stop();
		// No further request comes on it, so it closes at the end of the linger time.
		await once(idle, 'close');
		proxy.release();
		const { status, headers } = await answer;
		expect([status, headers.connection]).toEqual([200, 'close']);
		expect(await ended).toBe(0);
		await proxy.stop();
		await sink.stop();
	});
});

const existsWal = (databaseUrl: string): boolean => {
	const file = `${sqliteFile(databaseUrl)}-wal`;
	return existsSync(file) && statSync(file).size > 0;
};

describe('signals', () => {
	/** Prints its process id, so that it can be sent any signal. */
	const env = { NODE_OPTIONS: `${LONG_LINGER} ${running("console.log('pid='+process.pid)")}` };
	const pidOf = (server: BuiltServer): number =>
		Number(present(/^pid=(\d+)$/m.exec(server.output())?.[1]));

	test('M14 SIGINT stops the server too, and a second signal has no effect', async () => {
		const server = await startBuiltServer({ env });
		const kept = await keptConnection(server);
		process.kill(pidOf(server), 'SIGINT');
		await refusing(server);
		process.kill(pidOf(server), 'SIGINT');
		expect(await kept.send('/readyz')).toEqual({ status: 503, connection: 'close' });
		// A third signal.
		expect(await server.stop()).toBe(0);
		kept.end();
	});
});

// How a server closes does not depend on the database.
describe.each(ENGINES_OF_FORM)('two instances on %s', (engine) => {
	const CLIENTS = 12;
	/** Called between two steps, so that each step happens under load. */
	const BETWEEN = 40;
	const RESTARTS = 2;

	/** What clients saw while every instance was replaced, one after the other. */
	const roll = async () => {
		const seed = newSeed();
		const databaseUrl =
			engine === 'SQLite' ? newFile() : await createDatabase(inject('postgresUrl'));
		const balancer = await startBalancer();
		const env = { AUTH_URL: balancer.address, NODE_OPTIONS: BUSY };
		const start = (): Promise<BuiltServer> => startBuiltServer({ databaseUrl, env });
		let serving = [await start(), await start()];
		const serve = (): void => balancer.serve(serving.map(portOf));
		serve();

		// Clients reach the instances at the address of the balancer.
		const front: BuiltServer = { ...present(serving[0]), address: balancer.address };
		const load = startLoad({
			server: front,
			clients: CLIENTS,
			seed,
			name: 'client'
		});
		const codes: (number | null)[] = [];
		const isFine = (): boolean => load.failures.length === 0;
		for (let step = 0; step < RESTARTS && isFine(); step += 1) {
			await load.acknowledged(BETWEEN).catch(() => undefined);
			const [old, other] = [present(serving[0]), present(serving[1])];
			codes.push(await old.stop());
			const next = await start();
			serving = [other, next];
			serve();
		}
		await load.acknowledged(BETWEEN).catch(() => undefined);
		load.stop();
		await load.over();
		const database = openDatabase(databaseUrl);
		const checked = { lives: load.lives, server: front, database };
		const seen = {
			seed,
			codes,
			failures: load.failures,
			unanswered: load.unanswered(),
			complaints: load.failures.length > 0 ? [] : await complaintsAbout(checked)
		};
		await database.close();
		for (const one of serving) await one.stop();
		await balancer.stop();
		if (engine === 'PostgreSQL') await dropDatabase(inject('postgresUrl'), databaseUrl);
		return seen;
	};

	test(`M14 restarted one after the other under the load of ${CLIENTS} clients: no client sees an error, and every acknowledged write holds`, async () => {
		const { seed, ...seen } = await roll();
		expect({ seed, ...seen }).toEqual({
			seed,
			codes: [0, 0],
			failures: [],
			unanswered: [],
			complaints: []
		});
	});
});
