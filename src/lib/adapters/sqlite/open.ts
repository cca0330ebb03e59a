import type { Database as Client } from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import {
	throwIfRollBack,
	rollBackValue,
	storeFault,
	type Database,
	type Sql,
	type Transaction,
	type Work
} from '../sql/sql.ts';
import { sqliteChangeFeed } from './change-feed.ts';
import { narrowPermissions, openingFault, databasePath, prepareFile } from './file.ts';
import { groupCommit, whenUnlocked } from './lock.ts';
import { migrateSqlite } from './migrate.ts';
import { tables } from './schema.ts';

/** The driver would block while it waits. `whenUnlocked` waits instead. */
const BUSY_TIMEOUT_MS = 0;
/** Switching to the write-ahead log waits until other instances have started. */
const WAL_TIMEOUT_MS = 10_000;
/**
 * How many bytes of the file are memory-mapped: a million sessions, 560 MB, with as much again in
 * reserve. A lookup reads four trees. For a small file the driver's cache serves these reads, but
 * for a large one each costs a system call.
 *
 * The mapping uses addresses, not memory. What counts as resident is the system's file cache,
 * which the system can drop. The cost: when the disk fails to read, the process ends instead of
 * one statement failing.
 */
const MMAP_BYTES = 2 ** 30;

/**
 * How many pages the log may hold before a checkpoint, which blocks every request. SQLite's
 * default of 1000 takes 20 ms when a large file changed in many places. 100 pages take 5 ms, and
 * all checkpoints together take a tenth longer.
 */
const CHECKPOINT = 100;

/** For a URL such as `file:./data/postern.db`. `say` gets lines for the operator. */
export const openSqlite = async (
	url: string,
	{ say = () => undefined }: { readonly say?: (line: string) => void } = {}
): Promise<Sql> => {
	const path = databasePath(url);
	const client = await openFile(path).catch((error: Error) => {
		throw openingFault(path, error);
	});
	// Only after opening, so that a file that is no database keeps its permissions.
	narrowPermissions(path, say);
	const { drizzle } = await import('drizzle-orm/better-sqlite3');
	// The builders are typed for PostgreSQL, like the tables (see columns.ts). The contract suites
	// check that both engines behave the same.
	const db = drizzle(client) as unknown as Database;
	const skipLocked = sql.empty();
	const tx: Transaction = Object.assign(db, {
		tables,
		skipLocked,
		// A transaction holds the only write lock from its beginning.
		lockValue: function* () {}
	});

	const commit = groupCommit(client);
	const run: Sql['run'] = async <T>(statement: () => PromiseLike<T>, kind?: 'write') => {
		try {
			return await whenUnlocked(
				kind === 'write' ? () => commit(() => runSync(statement())) : statement
			);
		} catch (error) {
			throw storeFault(error);
		}
	};
	return {
		db,
		tables,
		skipLocked,
		run,
		transaction: (work) =>
			run(() => commit(() => throwIfRollBack(drive(work(tx)))).catch(rollBackValue)),
		ping: () => run(async () => void client.prepare('select 1').get()),
		clock: null,
		changes: () => sqliteChangeFeed(client),
		close: async () => {
			client.close();
		}
	};
};

/** Opens, creates and migrates the database. */
const openFile = async (path: string): Promise<Client> => {
	prepareFile(path);
	// Imported here, so that an installation on PostgreSQL loads no native code.
	const { default: Client } = await import('better-sqlite3');
	const client = new Client(path, { timeout: BUSY_TIMEOUT_MS });
	try {
		await whenUnlocked(async () => client.pragma('journal_mode = WAL'), WAL_TIMEOUT_MS);
		// A confirmed write survives a power failure.
		client.pragma('synchronous = FULL');
		client.pragma(`wal_autocheckpoint = ${CHECKPOINT}`);
		client.pragma(`mmap_size = ${MMAP_BYTES}`);
		migrateSqlite(client, BUSY_TIMEOUT_MS);
		client.pragma('foreign_keys = ON');
		return client;
	} catch (error) {
		client.close();
		throw error;
	}
};

/** Runs without awaiting, so that no other request's statement gets into the transaction. */
const drive = <T>(work: Work<T>): T => {
	let step = work.next([]);
	while (step.done !== true) step = work.next(runSync(step.value.prepare('step').execute()));
	return step.value;
};

/** A prepared statement's result runs when it is awaited or, as here, at once. */
const runSync = <T>(answer: PromiseLike<T>): T => (answer as PromiseLike<T> & { sync(): T }).sync();
