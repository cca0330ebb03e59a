import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_SECRET } from '../tests/support/process/built-server.ts';
import { freePort } from '../tests/support/process/free-port.ts';
import { startPostgres } from '../tests/support/postgres/cluster.ts';
import { startSmtpSink, type SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import { openAccounts, type Account } from './accounts.ts';
import { FLOOR, PEER } from './packages.ts';
import { ORIGIN } from './peer/src/lib/origin.ts';
import { buy, buyAtPeer } from './purchases.ts';
import { startPostern, startProcess, type ServerProcess } from './server-process.ts';

export type SubjectId = 'floor' | 'sqlite' | 'postgres' | 'peer' | BudgetedId;

/** The product with `EMAIL_BUDGET`. It is measured only when it sends codes. */
export type BudgetedId = 'sqlite-budget' | 'postgres-budget';

export const NAMES: Readonly<Record<SubjectId, string>> = {
	floor: 'floor',
	sqlite: 'Postern, SQLite',
	postgres: 'Postern, PostgreSQL',
	peer: 'better-auth',
	'sqlite-budget': 'Postern, SQLite, EMAIL_BUDGET',
	'postgres-budget': 'Postern, PostgreSQL, EMAIL_BUDGET'
};

export interface Subject {
	readonly id: SubjectId;
	readonly server: ServerProcess;
	/** The origin of its pages, which browsers send with a POST. */
	readonly origin: string;
	/** The signed-in accounts. The floor ignores credentials and gets those of Postern on SQLite. */
	readonly accounts: readonly Account[];
}

export interface Subjects {
	readonly all: readonly Subject[];
	readonly budgeted: readonly Subject[];
	/** The mail server of all subjects. */
	readonly sink: SmtpSink;
	stop(): Promise<void>;
}

/** More emails an hour than a run sends, so nothing is refused. */
const EMAIL_BUDGET = '5000000';

/** Accounts per subject: enough that a cache of a few sessions has no effect. */
const ACCOUNTS = 64;

/** Starts all subjects, each with its own database and signed-in accounts. */
export const startSubjects = async (): Promise<Subjects> => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
	const forget = (): void => rmSync(folder, { recursive: true, force: true });
	// Also when a signal ends the run early.
	process.once('exit', forget);
	const sink = await startSmtpSink();
	const database = await startPostgres({ fsync: true });
	const servers: ServerProcess[] = [];
	const stop = async (): Promise<void> => {
		await Promise.all(servers.map((server) => server.stop()));
		await Promise.all([database.stop(), sink.stop()]);
		forget();
	};
	const started = async (starting: Promise<ServerProcess>): Promise<ServerProcess> => {
		const server = await starting;
		servers.push(server);
		return server;
	};
	const postern = (
		databaseUrl: string,
		env: Readonly<Record<string, string>> = {}
	): Promise<ServerProcess> => started(startPostern({ databaseUrl, smtpPort: sink.port, env }));
	const budgeted = async (id: BudgetedId, databaseUrl: string): Promise<Subject> => {
		const server = await postern(databaseUrl, { EMAIL_BUDGET });
		return { id, server, origin: originOf(server), accounts: [] };
	};
	const inhabited = async (
		id: SubjectId,
		server: ServerProcess,
		shop: (emails: readonly string[]) => void | Promise<void>
	): Promise<Subject> => {
		const emails = Array.from({ length: ACCOUNTS }, (_, number) => `${number}@${id}.test`);
		const origin = id === 'peer' ? ORIGIN : originOf(server);
		const accounts = await openAccounts({ server, origin }, sink, emails);
		await shop(emails);
		return { id, server, origin, accounts };
	};
	const opened = async (id: SubjectId, databaseUrl: string): Promise<Subject> =>
		inhabited(id, await postern(databaseUrl), (emails) => buy(databaseUrl, emails));
	try {
		const sqlite = await opened('sqlite', `file:${join(folder, 'postern.db')}`);
		const postgres = await opened('postgres', await database.createDatabase());
		const peerFile = join(folder, 'peer.db');
		const peer = await inhabited('peer', await started(startPeer(peerFile, sink)), (emails) =>
			buyAtPeer(peerFile, emails)
		);
		const floor: Subject = { ...sqlite, id: 'floor', server: await started(startFloor()) };
		const withBudget = [
			await budgeted('sqlite-budget', `file:${join(folder, 'budget.db')}`),
			await budgeted('postgres-budget', await database.createDatabase())
		];
		return { all: [floor, sqlite, postgres, peer], budgeted: withBudget, sink, stop };
	} catch (error) {
		await stop();
		throw error;
	}
};

const originOf = ({ url }: ServerProcess): string => url.replace('127.0.0.1', 'localhost');

const listening = (port: number): Record<string, string> => ({
	NODE_ENV: 'production',
	TZ: 'UTC',
	HOST: '127.0.0.1',
	PORT: String(port)
});

const startFloor = async (): Promise<ServerProcess> => {
	const port = await freePort();
	return startProcess({
		name: NAMES.floor,
		cwd: FLOOR,
		args: ['build/index.js'],
		env: listening(port),
		port,
		probe: '/empty'
	});
};

const startPeer = async (file: string, sink: SmtpSink): Promise<ServerProcess> => {
	const port = await freePort();
	const env = {
		...listening(port),
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
		env,
		port,
		probe: '/api/auth/ok'
	});
};
