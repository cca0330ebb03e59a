import Database from 'better-sqlite3';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
	build,
	ensureBuild,
	isUpToDate,
	programFile,
	SERVER_FLAGS
} from '../bin/lib/ensure-build.ts';
import { install } from '../dev/install.ts';
import { withOwnApp } from '../tests/support/http/own-app.ts';
import { mailingThrough } from '../tests/support/mail/mail-settings.ts';
import { startSmtpSink, type SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import { startPostgres } from '../tests/support/postgres/cluster.ts';
import { settingsOf, TEST_SECRET } from '../tests/support/process/built-server.ts';
import { openAccounts, type Account } from './accounts.ts';
import { ORIGIN } from './peer/src/lib/origin.ts';
import { startProcess, type ServerProcess } from './start-process.ts';

export type SubjectId = 'floor' | 'sqlite' | 'postgres' | 'peer';

export const NAMES: Readonly<Record<SubjectId, string>> = {
	floor: 'floor',
	sqlite: 'Postern, SQLite',
	postgres: 'Postern, PostgreSQL',
	peer: 'better-auth'
};

export interface Subject {
	readonly id: SubjectId;
	readonly server: ServerProcess;
	/** The origin of its pages, which browsers send with a POST. */
	readonly origin: string;
	readonly accounts: readonly Account[];
}

export interface Subjects {
	readonly all: readonly Subject[];
	/** The mail server of all subjects. */
	readonly sink: SmtpSink;
	stop(): Promise<void>;
}

/** Accounts per subject: enough that a cache of a few sessions has no effect. */
const ACCOUNTS = 64;
/** The protected page shows these, so each account has all of them. */
export const PRODUCTS = ['Garden shears', 'A year of the newsletter', 'Watering can'];

const FLOOR = join(import.meta.dirname, 'floor');
const PEER = join(import.meta.dirname, 'peer');

/** Starts all subjects, each with its own database and signed-in accounts. */
export const startSubjects = async (say: (line: string) => void): Promise<Subjects> => {
	ensureBuild(say);
	for (const folder of [FLOOR, PEER]) {
		install(folder, say);
		const names = ['src', 'vite.config.ts', 'package.json', 'package-lock.json'];
		const sources = names.map((name) => join(folder, name));
		if (isUpToDate(folder, sources)) continue;
		say(`building ${folder}, which takes a few seconds`);
		build(folder);
	}
	const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
	// Also when a signal ends the run early.
	process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
	const sink = await startSmtpSink();
	const database = await startPostgres({ fsync: true });
	const all: Subject[] = [];
	const stop = async (): Promise<void> => {
		await Promise.all(all.map(({ server }) => server.stop()));
		await Promise.all([database.stop(), sink.stop()]);
	};
	/** With accounts that are signed in and have bought something. */
	const add = async (
		id: SubjectId,
		server: ServerProcess,
		shop: (emails: readonly string[]) => void | Promise<void>
	): Promise<void> => {
		const origin = id === 'peer' ? ORIGIN : server.url.replace('127.0.0.1', 'localhost');
		const emails = Array.from({ length: ACCOUNTS }, (_, number) => `${number}@${id}.test`);
		const accounts = await openAccounts(server.url, origin, sink, emails);
		all.push({ id, server, origin, accounts });
		await shop(emails);
	};
	try {
		for (const id of ['sqlite', 'postgres'] as const) {
			const isFile = id === 'sqlite';
			const url = isFile ? `file:${join(folder, 'postern.db')}` : await database.createDatabase();
			await add(id, await startPostern(id, url, sink), (emails) => buy(url, emails));
		}
		const peerFile = join(folder, 'peer.db');
		await add('peer', await startPeer(peerFile, sink), (emails) => buyAtPeer(peerFile, emails));
		const args = ['build/index.js'];
		const floor = { name: NAMES.floor, cwd: FLOOR, args, probe: '/empty', env: () => ({}) };
		all.unshift({ id: 'floor', server: await startProcess(floor), origin: '', accounts: [] });
		return { all, sink, stop };
	} catch (error) {
		await stop();
		throw error;
	}
};

/** Starts the production build as an operator does. */
export const startPostern = (
	id: 'sqlite' | 'postgres',
	databaseUrl: string,
	sink: SmtpSink,
	env: Readonly<Record<string, string>> = {}
): Promise<ServerProcess> =>
	startProcess({
		name: NAMES[id],
		cwd: '.',
		probe: '/readyz',
		args: [...SERVER_FLAGS, programFile('start')],
		env: (port) => ({
			...settingsOf({ address: `http://localhost:${port}`, databaseUrl }),
			...mailingThrough(sink.port),
			// The peer has no such notice. Here, each sign-in of a known user would send one.
			NOTICE_NEW_DEVICE: 'off',
			...env
		})
	});

const startPeer = (file: string, sink: SmtpSink): Promise<ServerProcess> => {
	const env = {
		DATABASE_FILE: file,
		BETTER_AUTH_SECRET: TEST_SECRET,
		SMTP_PORT: String(sink.port)
	};
	// Output is shown only if this fails: it always warns about the tables it is about to create.
	execFileSync(process.execPath, ['migrate.ts'], { cwd: PEER, env, stdio: 'pipe' });
	return startProcess({
		name: NAMES.peer,
		cwd: PEER,
		args: ['build/index.js'],
		probe: '/api/auth/ok',
		env: () => env
	});
};

/** Records purchases as the payment webhook of an application does. */
const buy = (databaseUrl: string, emails: readonly string[]): Promise<void> =>
	withOwnApp({ address: 'http://localhost:3000', databaseUrl }, async (app) => {
		for (const email of emails) {
			for (const product of PRODUCTS) await app.recordPurchase({ email, product });
		}
	});

/** The same in the table of the peer, which has no purchases of its own. */
const buyAtPeer = (file: string, emails: readonly string[]): void => {
	const database = new Database(file);
	const insert = database.prepare(
		`insert into purchase (id, userId, product, status, createdAt)
			select ?, id, ?, 'paid', ? from user where email = ?`
	);
	for (const email of emails) {
		for (const product of PRODUCTS) insert.run(randomUUID(), product, Date.now(), email);
	}
	database.close();
};
