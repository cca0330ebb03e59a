import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '../../support/process/free-port.ts';
import { joined, tcpServer } from '../../support/process/tcp.ts';
import { temporaryDirectory, unprivileged } from '../../support/postgres/cluster.ts';

/** Debian installs it outside of the PATH of most users. */
const FOLDERS = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];

/** The path of PgBouncer. Undefined where it is not installed. */
export const pgbouncer = FOLDERS.map((folder) => join(folder, 'pgbouncer')).find(existsSync);

/**
 * Starts PgBouncer in front of one database. `onConnect` runs first in each of its sessions there.
 */
export const startPgbouncer = async (
	database: string,
	settings: Readonly<Record<string, string | number>>,
	onConnect = ''
) => {
	if (pgbouncer === undefined) throw new Error('PgBouncer is not installed');
	const { hostname, port, username, password, pathname } = new URL(database);
	const target = {
		host: hostname,
		port,
		dbname: pathname.slice(1),
		user: username,
		...(password === '' ? {} : { password: decodeURIComponent(password) }),
		...(onConnect === '' ? {} : { connect_query: `'${onConnect.replaceAll("'", "''")}'` })
	};
	const url = new URL(database);
	url.port = String(await freePort());
	const all = {
		listen_addr: '127.0.0.1',
		listen_port: url.port,
		unix_socket_dir: '',
		// Everybody may connect. The line of the database has the user and the password.
		auth_type: 'any',
		...settings
	};
	const lines = (values: object, between: string): string =>
		Object.entries(values)
			.map(([name, value]) => `${name}=${value}`)
			.join(between);
	const runner = unprivileged();
	const home = temporaryDirectory(runner);
	const file = join(home, 'pgbouncer.ini');
	writeFileSync(file, `[databases]\n* = ${lines(target, ' ')}\n[pgbouncer]\n${lines(all, '\n')}\n`);
	// It refuses to run as root.
	const child = spawn(pgbouncer, [file], { ...runner, stdio: ['ignore', 'ignore', 'pipe'] });
	const exit = once(child, 'exit');
	let output = '';
	const isUp = new Promise<boolean>((resolve) => {
		child.stderr.on('data', (text: Buffer) => {
			output += text.toString();
			if (output.includes('process up')) resolve(true);
		});
		child.once('close', () => resolve(false));
	});
	const stop = async (): Promise<void> => {
		child.kill('SIGTERM');
		await exit;
		rmSync(home, { recursive: true, force: true });
	};
	if (await isUp) return { url: url.href, stop };
	await stop();
	throw new Error(`PgBouncer did not start: ${output}`);
};

/** Removes settings from the first message of each connection, as some poolers do. */
export const forgetfulPooler = (targetPort: number, settings: readonly string[]) =>
	tcpServer((inside) => {
		const outside = joined(inside, targetPort);
		inside.once('data', (startup) => {
			outside.write(without(settings, startup));
			inside.pipe(outside).pipe(inside);
		});
	});

/** The message has its length, the version of the protocol, names and values, and an empty name. */
const without = (settings: readonly string[], startup: Buffer): Buffer => {
	const texts = startup.subarray(8).toString('latin1').split('\0');
	const kept = texts.filter((_, i) => !settings.includes(texts[i - (i % 2)] ?? ''));
	const body = Buffer.from(kept.join('\0'), 'latin1');
	const head = Buffer.from(startup.subarray(0, 8));
	head.writeInt32BE(body.length + 8);
	return Buffer.concat([head, body]);
};

/**
 * Answers each connection with this SQLSTATE and message; with null it closes without a message.
 */
export const refusingServer = (
	refusal: { readonly code: string; readonly message: string } | null
) =>
	tcpServer((socket) => {
		if (refusal === null) socket.end();
		else socket.once('data', () => socket.end(errorResponse(refusal)));
	});

/** A message of the protocol: its kind, its length without the kind, its fields. */
const errorResponse = ({ code, message }: { code: string; message: string }): Buffer => {
	const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
	const head = Buffer.alloc(5);
	head.write('E');
	head.writeInt32BE(fields.length + 4, 1);
	return Buffer.concat([head, fields]);
};
