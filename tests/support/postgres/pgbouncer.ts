import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '../process/free-port.ts';
import { temporaryDirectory, unprivileged } from './cluster.ts';

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
		...{ host: hostname, port, dbname: pathname.slice(1), user: username },
		...(password === '' ? {} : { password: decodeURIComponent(password) }),
		...(onConnect === '' ? {} : { connect_query: `'${onConnect.replaceAll("'", "''")}'` })
	};
	const url = new URL(database);
	url.port = String(await freePort());
	const all = {
		...{ listen_addr: '127.0.0.1', listen_port: url.port, unix_socket_dir: '' },
		// Everybody may connect. The line of the database has the user and the password.
		...{ auth_type: 'any', ...settings }
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
