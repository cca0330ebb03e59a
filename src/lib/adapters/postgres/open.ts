import { sql } from 'drizzle-orm';
import { storeFault, type Sql } from '../sql/sql.ts';
import { connectorTo } from './connect.ts';
import { databaseClock } from './database-clock.ts';
import { migratePostgres, type MigrateOptions } from './migrate.ts';
import { connectionOptions, openPool } from './pool.ts';
import { askTime, startPulse } from './notification-listener.ts';
import { tables } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** The time limit for a query of the database's time, in milliseconds. */
const PING_PATIENCE = 2000;

/** Connects to the database of a `postgres://` URL and migrates it. */
export const openPostgres = async (url: string, waiting: MigrateOptions = {}): Promise<Sql> => {
	// Imported here, so that an installation on SQLite does not load a second driver.
	const { drizzle } = await import('drizzle-orm/postgres-js');
	await migratePostgres(url, waiting);
	const { connect } = await connectorTo(url, waiting.access);
	const pool = openPool((options) => {
		const client = connect({ ...connectionOptions, ...options });
		// This call also configures how the client encodes times.
		drizzle(client);
		return client;
	});
	const db = drizzle(pool.client);
	const clock = databaseClock();

	const ask = async <T>(statement: () => PromiseLike<T>): Promise<T> => {
		try {
			return await pool.patiently(statement);
		} catch (error) {
			throw storeFault(error);
		}
	};
	const ping = async (): Promise<void> =>
		clock.learn(await ask(() => askTime(pool.client, PING_PATIENCE)));
	// The clock needs a sample before anything is stamped with it.
	await ping();
	const pulse = startPulse({
		connect: (options) => connect({ ...connectionOptions, ...options }),
		notify: (payload) => ask(() => pool.client.notify('postern_changes', payload)),
		clock
	});
	return {
		db,
		tables,
		skipLocked: sql`for update skip locked`,
		ask,
		atomic: (work) => ask(() => inTransaction(db, work)),
		ping,
		clock,
		changes: () => pulse,
		close: async () => {
			await pulse.stop();
			await pool.close();
		}
	};
};
