import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programFile, SERVER_FLAGS } from '../../../bin/lib/ensure-build.ts';
import { projectRoot } from '../files/scratch-copy.ts';
import { moveDatabaseTime } from '../postgres/time.ts';
import { freePort } from './free-port.ts';
import { closeIdleConnections } from '../http/agent.ts';

export const TEST_SECRET = 'k3J0v9Qm2Xc7Tz1Rb8Wn4Ys6Lp5Hd0Gf_aUeIoNq';

/**
 * Every setting that a developer’s own .env could contain; empty, so that none of it takes effect.
 */
export const NO_SETTINGS: Readonly<Record<string, string>> = Object.fromEntries(
	[
		...readFileSync(join(projectRoot, '.env.example'), 'utf8').matchAll(/^#? ?([A-Z][A-Z_]+)=/gm),
		...['ALLOW_PLAIN', 'HOST', 'PORT', 'USER'].map((name) => ['', `EMAIL_FALLBACK_${name}`]),
		['', 'NODE_ENV']
	].map(([, name]) => [name, ''])
);

/** The compile cache saves time, because the tests start many programs. */
export const COMPILED = { NODE_COMPILE_CACHE: resolve('node_modules', '.cache', 'node-compile') };

/** Loaded into a program: a test can move its clock. */
export const SHIFTED_CLOCK = pathToFileURL(
	join(import.meta.dirname, '../time/shifted-clock.ts')
).href;

/** The environment of a program of the build, for this site. */
export const settingsOf = ({
	address = '',
	databaseUrl = ''
}: {
	readonly address?: string;
	readonly databaseUrl?: string;
}): Readonly<Record<string, string>> => ({
	...NO_SETTINGS,
	...COMPILED,
	PATH: process.env['PATH'] ?? '',
	AUTH_SECRET: TEST_SECRET,
	AUTH_URL: address,
	DATABASE_URL: databaseUrl
});

export interface BuiltServerOptions {
	/** A `postgres://` URL; a new SQLite file by default. */
	readonly databaseUrl?: string;
	/** A folder with another build than the usual one. */
	readonly folder?: string;
	/** Further settings, which win over the defaults of tests. */
	readonly env?: Readonly<Record<string, string>>;
}

/** The kinds of email, as the console names them. */
export type PrintedMail =
	| 'sign-in code'
	| 'email-verification code'
	| 'email-change code'
	| 'email-change link'
	| 'email-change notice'
	| 'reauthentication code'
	| 'new-device notice'
	| 'account-deleted mail'
	| 'welcome mail';

const READY = '[postern] open ';
const TIMEOUT_MS = 20_000;

/** A time zone in which it is about noon, so that no run meets the daily tasks at three o’clock. */
const noonZone = (): string => {
	const behind = new Date().getUTCHours() - 12;
	return behind === 0 ? 'UTC' : `Etc/GMT${behind > 0 ? '+' : '-'}${Math.abs(behind)}`;
};

/** The servers of one database. Each of them may send any email that follows a response. */
interface Together {
	/** The addresses of the running ones, which must learn of a new time. */
	readonly addresses: Set<string>;
	/** The content of each printed email, by `<kind> for <address>`. */
	readonly mails: Map<string, string[]>;
	/** Called after each new line. */
	readonly waiting: Set<() => void>;
}

const byDatabase = new Map<string, Together>();
const togetherOn = (databaseUrl: string): Together => {
	const found = byDatabase.get(databaseUrl);
	if (found !== undefined) return found;
	const together = {
		addresses: new Set<string>(),
		mails: new Map<string, string[]>(),
		waiting: new Set<() => void>()
	};
	byDatabase.set(databaseUrl, together);
	return together;
};

/** Makes a server query its database, and so read its time. */
export const askForTime = async (address: string): Promise<void> => {
	const { port } = new URL(address);
	const request = get({ host: '127.0.0.1', port, path: '/readyz', agent: false });
	const [ready] = (await once(request, 'response')) as [IncomingMessage];
	ready.resume();
	if (ready.statusCode !== 200) throw new Error(`not ready: ${ready.statusCode}`);
};

/** The folders of servers that no test has stopped. They are removed with this process. */
const folders = new Set<string>();
const removeFolder = (folder: string): void => {
	folders.delete(folder);
	rmSync(folder, { recursive: true, force: true });
};
process.once('exit', () => folders.forEach(removeFolder));

/** Starts the build as `npm start` does, on its own port, with the given database. */
export const startBuiltServer = async (options: BuiltServerOptions = {}) => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-test-'));
	folders.add(folder);
	const port = await freePort();
	const address = `http://localhost:${port}`;
	const databaseUrl = options.databaseUrl ?? `file:${join(folder, 'postern.db')}`;
	const env = {
		...settingsOf({ address, databaseUrl }),
		HOST: '127.0.0.1',
		PORT: String(port),
		TZ: noonZone(),
		...options.env
	};
	const lines: string[] = [];
	/** The unfinished last line. */
	let rest = '';
	const output = (): string => [...lines, rest].join('\n');
	const together = togetherOn(databaseUrl);
	const { waiting } = together;
	const finish = (line: string): void => {
		lines.push(line);
		const [, what, value = ''] =
			/^\[postern\] (.+? for [^\s:]+)(?:: (.*))?$/.exec(line.trimEnd()) ?? [];
		if (what === undefined) return;
		const seen = together.mails.get(what) ?? [];
		together.mails.set(what, [...seen, value]);
	};
	let child: ChildProcess;
	let exited: Promise<number | null>;

	const start = async (): Promise<void> => {
		const started = lines.length;
		child = spawn(
			process.execPath,
			[...SERVER_FLAGS, '--import', SHIFTED_CLOCK, programFile('start')],
			{
				cwd: options.folder,
				env,
				stdio: ['ignore', 'pipe', 'pipe', 'ipc']
			}
		);
		exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
		for (const stream of [child.stdout, child.stderr]) {
			stream?.setEncoding('utf8').on('data', (piece: string) => {
				const parts = (rest + piece).split('\n');
				rest = parts.pop() ?? '';
				parts.forEach(finish);
				for (const look of waiting) look();
			});
		}
		const since = (): readonly string[] => lines.slice(started);
		const ended = exited.then((code) => {
			throw new Error(`the server ended with ${code} before it listened:\n${since().join('\n')}`);
		});
		const ready = (): true | null => since().some((line) => line.includes(READY)) || null;
		await Promise.race([printed(ready), ended]);
	};

	/** The first match of `find` in the output, now or later. */
	const printed = <T>(find: () => T | null): Promise<T> =>
		new Promise((resolve, reject) => {
			const look = (): void => {
				const found = find();
				if (found === null) return;
				waiting.delete(look);
				clearTimeout(timer);
				resolve(found);
			};
			const timer = setTimeout(() => {
				waiting.delete(look);
				reject(new Error(`not printed within ${TIMEOUT_MS} ms:\n${output().slice(-2000)}`));
			}, TIMEOUT_MS);
			waiting.add(look);
			look();
		});

	/** The content of each email. */
	const mails = (kind: PrintedMail, email: string): readonly string[] =>
		together.mails.get(`${kind} for ${email}`) ?? [];
	const mailFor = (kind: PrintedMail, email: string, count = 1): Promise<string> =>
		printed(() => {
			const seen = mails(kind, email);
			return seen.length < count ? null : (seen.at(-1) ?? null);
		});

	const newest =
		(kind: PrintedMail) =>
		(email: string, count?: number): Promise<string> =>
			mailFor(kind, email, count);

	const tell = (
		message: { offset: number } | { held: boolean } | { passed: number }
	): Promise<void> =>
		new Promise((resolve) => {
			child.once('message', () => resolve());
			child.send(message);
		});
	const setMachineClock = (seconds: number): Promise<void> => tell({ offset: seconds * 1000 });
	let asStarted = true;
	const altering =
		<T extends readonly unknown[]>(alter: (...args: T) => Promise<void>) =>
		(...args: T): Promise<void> => {
			asStarted = false;
			return alter(...args);
		};

	await start();
	together.addresses.add(address);
	return {
		/** Where it listens; also its AUTH_URL unless the settings name another one. */
		address,
		databaseUrl,
		/** All its output so far. */
		output,
		/** The finished lines of its output, updated as it prints. */
		lines: lines as readonly string[],
		/**
		 * The content of the newest email of a kind to an address: its code, its link, the stage of a
		 * notice, or nothing. Waits while fewer than `count` are there, since an answer may arrive
		 * before the line that was printed earlier.
		 */
		mailFor,
		/** The content of each email of a kind to an address, from any server of the database. */
		mails,
		mailsSentTo: (kind: PrintedMail, email: string) => mails(kind, email).length,
		/** The newest sign-in code. */
		codeFor: newest('sign-in code'),
		verificationCodeFor: newest('email-verification code'),
		changeCodeFor: newest('email-change code'),
		/** The newest link for an email change. */
		linkFor: newest('email-change link'),
		/** How many sign-in codes were printed for an email address. */
		codesSentTo: (email: string) => mails('sign-in code', email).length,
		/**
		 * Moves its clock to this many seconds from the real time: the machine’s on SQLite, the
		 * database’s on PostgreSQL, for every server of this test file on that database.
		 */
		shiftClock: async (seconds: number) => {
			if (databaseUrl.startsWith('file:')) return setMachineClock(seconds);
			await moveDatabaseTime(databaseUrl, seconds);
			await Promise.all([...together.addresses].map(askForTime));
		},
		/** Whether the server is unchanged for later tests: no fault, no other machine clock. */
		isAsStarted: () => asStarted,
		/**
		 * Sets the machine’s clock, as an operator or NTP does, to this many seconds from the real time.
		 */
		setMachineClock: altering(setMachineClock),
		/**
		 * Stops or resumes its monotonic clock, which decides when it checks SQLite for changes of
		 * others.
		 */
		holdMonotonic: altering((held: boolean) => tell({ held })),
		/** Moves its monotonic clock forward, which the limits of requests use. */
		passMonotonic: (seconds: number) => tell({ passed: seconds * 1000 }),
		/**
		 * kill -9 and a new start on the same database and port. Calls `onExit` when the process has ended
		 * and all its connections are closed.
		 */
		crashAndRestart: altering(async (onExit?: () => void) => {
			child.kill('SIGKILL');
			await exited;
			onExit?.();
			await start();
		}),
		/** Stops it as an operator does, so that it finishes its work, and starts it again. */
		restart: altering(async () => {
			closeIdleConnections(port);
			child.kill('SIGTERM');
			await exited;
			await start();
		}),
		/** Stops it as an operator does; resolves with its exit code. */
		stop: async () => {
			together.addresses.delete(address);
			closeIdleConnections(port);
			child.kill('SIGTERM');
			const code = await exited;
			removeFolder(folder);
			return code;
		}
	};
};

export type BuiltServer = Awaited<ReturnType<typeof startBuiltServer>>;
