import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import { storeFault, type Database, type Sql, type Transaction, type Work } from '../sql/sql.ts';
import { migratePostgres } from './migrate.ts';
import { tables } from './schema.ts';
import { sessionSettings } from './session-settings.ts';

/** The server ends a statement after this long, and a transaction that stands still. */
const STATEMENT_TIMEOUT_MS = 5000;
/** A server that does not even do that is not waited for: the request is answered without it. */
const PATIENCE_MS = 6000;

/** The driver's own pauses grow to 20 s, and we would be out that long after the server is back. */
const RECONNECT_AFTER_S = 0.25;

/** Connects to the database of a `postgres://` URL, migrated. */
export const openPostgres = async (url: string): Promise<Sql> => {
	// Only here, so that an installation on SQLite loads no second driver.
	const { default: connect } = await import('postgres');
	const { drizzle } = await import('drizzle-orm/postgres-js');
	await migratePostgres(url);
	const client = connect(url, {
		max: 10,
		connect_timeout: 5,
		backoff: () => RECONNECT_AFTER_S,
		fetch_types: false,
		onnotice: () => {},
		connection: {
			...sessionSettings,
			statement_timeout: STATEMENT_TIMEOUT_MS,
			idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS
		}
	});
	const db = drizzle(client);

	const ask = async <T>(statement: () => PromiseLike<T>): Promise<T> => {
		try {
			return await patiently(statement());
		} catch (error) {
			throw storeFault(error);
		}
	};
	return {
		db,
		tables,
		skipLocked: sql`for update skip locked`,
		ask,
		atomic: (work) => ask(() => inTransaction(db, work)),
		close: () => client.end({ timeout: 2 })
	};
};

/**
 * Deadlock, and a failed serialisation: the server undid one of two transactions so that the other
 * can go on, and says to try again. Two accounts that swap their addresses at once come to this.
 */
const UNDONE: readonly string[] = ['40P01', '40001'];
const TRIES = 3;

const inTransaction = async <T>(db: Database, work: (tx: Transaction) => Work<T>): Promise<T> => {
	for (let tries = 1; ; tries += 1) {
		try {
			return await tryTransaction(db, work);
		} catch (error) {
			if (tries === TRIES || !UNDONE.includes(storeFault(error).reason)) throw error;
			// Long enough for the other one to finish, or the two meet again.
			await pause(20 * tries);
		}
	}
};

const tryTransaction = <T>(db: Database, work: (tx: Transaction) => Work<T>): Promise<T> =>
	db.transaction(
		async (tx) => {
			const statements = work(tx);
			let step = statements.next([]);
			while (step.done !== true) {
				// Prepared, which saves a round trip each from the second time on.
				step = statements.next(await step.value.prepare('step').execute());
			}
			return step.value;
		},
		{ isolationLevel: 'read committed' }
	);

const patiently = async <T>(answer: PromiseLike<T>): Promise<T> => {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new StoreUnavailable('NO_ANSWER')), PATIENCE_MS);
	});
	try {
		return await Promise.race([answer, late]);
	} finally {
		clearTimeout(timer);
	}
};
