import { sql } from 'drizzle-orm';
import { storeFault, type Sql, type Transaction } from '../sql/sql.ts';
import { connectorTo } from './connect.ts';
import { databaseClock } from './database-clock.ts';
import { migratePostgres, type MigrateOptions } from './migrate.ts';
import { connectionOptions, openPool } from './pool.ts';
import { CHANNEL, queryTime, startNotificationListener } from './notification-listener.ts';
import { tables } from './schema.ts';
import { inTransaction, type Builder } from './transaction.ts';

/** "Post" in ASCII. */
const VALUE_LOCKS = 0x506f7374;

const PING_TIMEOUT_MS = 2000;

export const openPostgres = async (url: string, waiting: MigrateOptions = {}): Promise<Sql> => {
	// Imported here, so that an installation on SQLite does not load a second driver.
	const { drizzle } = await import('drizzle-orm/postgres-js');
	await migratePostgres(url, waiting);
	const connect = await connectorTo(url, waiting.access);
	const pool = openPool((options) => {
		const client = connect({ ...connectionOptions, ...options });
		// This call also configures how the client encodes times.
		drizzle(client);
		return client;
	});
	const db = drizzle(pool.client);
	const clock = databaseClock();

	const run = async <T>(statement: (onAnswer: () => void) => PromiseLike<T>): Promise<T> => {
		try {
			return await pool.withinTimeout(statement);
		} catch (error) {
			throw storeFault(error);
		}
	};
	const ping = async (): Promise<void> =>
		clock.learn(await run(() => queryTime(pool.client, PING_TIMEOUT_MS)));
	// The clock needs a sample before anything is stamped with it.
	await ping();
	const listener = startNotificationListener({
		connect: (options) => connect({ ...connectionOptions, ...options }),
		notify: (payload) => run(() => pool.client.notify(CHANNEL, payload)),
		clock
	});
	return {
		db,
		tables,
		skipLocked,
		run,
		transaction: (work) =>
			run((onAnswer) => inTransaction(db, (tx) => work(transactionOf(tx)), onAnswer)),
		ping,
		clock,
		changes: () => listener,
		close: async () => {
			await listener.stop();
			await pool.close();
		}
	};
};

const skipLocked = sql`for update skip locked`;

const transactionOf = (tx: Builder): Transaction =>
	Object.assign(tx, {
		tables,
		skipLocked,
		// The first number keeps these locks apart from those of other programs on the database.
		lockValue: function* (value: string) {
			yield tx
				.select({ locked: sql`true` })
				.from(sql`pg_advisory_xact_lock(${VALUE_LOCKS}, hashtext(${value}))`);
		}
	});
