import { sql } from 'drizzle-orm';
import { storeFault, type Database, type Sql, type Tables, type Work } from '../sql/sql.ts';
import { sqliteChangeFeed } from './change-feed.ts';
import { narrowPermissions } from './file-permissions.ts';
import { openingFault, prepareFile, pathOf } from './file.ts';
import { groupCommit, whenUnlocked } from './lock.ts';
import { migrateSqlite } from './migrate.ts';
import { tables } from './schema.ts';

/** The driver waits standing still; `whenUnlocked` waits in its place. */
const BUSY_TIMEOUT = 0;
/** Switching to the log wants the file to itself, which takes as long as others need to start. */
const WAL_PATIENCE = 10_000;
/**
 * How much of the file is read by way of memory, in bytes: a million sessions, 560 MB, and as much
 * again. A lookup reads from four trees, which hardly costs a call into the system each when the
 * file is small and held in the driver's cache, but does when it is large. It takes addresses, not
 * memory: what is counted as resident is the system's own cache of the file, which it can drop. The
 * price is that a disk which fails to read ends the process where a statement would have failed.
 */
const MAPPED = 2 ** 30;

/**
 * How long the log grows before it is carried into the file, in pages, while every request waits.
 * SQLite's own 1000 take 20 ms where a large file was changed in many places; 100 take 5, and all of
 * them together a tenth longer.
 */
const CHECKPOINT = 100;

/**
 * Opens (or creates) the database of a URL like `file:./data/postern.db`, migrated. `say` gets lines for
 * the operator.
 */
export const openSqlite = async (
	url: string,
	{ say = () => undefined }: { readonly say?: (line: string) => void } = {}
): Promise<Sql> => {
	const path = pathOf(url);
	prepareFile(path);
	// Only here, so that an installation on PostgreSQL loads no native code.
	const { default: Client } = await import('better-sqlite3');
	const { drizzle } = await import('drizzle-orm/better-sqlite3');
	const client = new Client(path, { timeout: BUSY_TIMEOUT });
	try {
		await whenUnlocked(async () => client.pragma('journal_mode = WAL'), WAL_PATIENCE);
		// Acknowledged means durable, also when the power goes.
		client.pragma('synchronous = FULL');
		client.pragma(`wal_autocheckpoint = ${CHECKPOINT}`);
		client.pragma(`mmap_size = ${MAPPED}`);
		migrateSqlite(client, BUSY_TIMEOUT);
		client.pragma('foreign_keys = ON');
	} catch (error) {
		client.close();
		throw openingFault(path, error);
	}
	// Only now: a file that turned out to be something else keeps its permissions.
	narrowPermissions(path, say);
	// The one double cast of the code base. sql/parity.ts proves the rows equal, the contract
	// suites the behaviour.
	const twin = { db: drizzle(client), tables } as unknown as { db: Database; tables: Tables };

	const commit = groupCommit(client);
	const ask: Sql['ask'] = async <T>(statement: () => PromiseLike<T>, kind?: 'write') => {
		try {
			return await whenUnlocked(
				kind === 'write' ? () => commit(() => atOnce(statement())) : statement
			);
		} catch (error) {
			throw storeFault(error);
		}
	};
	return {
		...twin,
		skipLocked: sql.empty(),
		ask,
		atomic: (work) => ask(() => commit(() => drive(work(twin.db)))),
		ping: () => ask(async () => void client.prepare('select 1').get()),
		clock: null,
		changes: (clock) => sqliteChangeFeed(client, clock),
		close: async () => {
			client.close();
		}
	};
};

/** Without a pause, so that no other request's statement can get into the transaction. */
const drive = <T>(work: Work<T>): T => {
	let step = work.next([]);
	while (step.done !== true) step = work.next(atOnce(step.value.prepare('step').execute()));
	return step.value;
};

/** What a prepared statement answers runs when it is awaited or, as here, at once. */
const atOnce = <T>(answer: PromiseLike<T>): T => (answer as PromiseLike<T> & { sync(): T }).sync();
