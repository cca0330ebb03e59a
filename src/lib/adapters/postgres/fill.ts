import { getTableName, sql } from 'drizzle-orm';
import type { DatabaseAccess } from '#lib/config/database.ts';
import { OperatorError } from '#lib/operator-messages.ts';
import type { Database } from '../sql/sql.ts';
import { connectWithRetries } from './connect-with-retries.ts';
import { connectorTo } from './connect.ts';
import { migratePostgres } from './migrate.ts';
import { tables } from './schema.ts';
import { fail } from './start-fault.ts';

/** No other client should use this database. A server that does has short transactions. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Migrates an empty database, then lets `work` fill it in one transaction that excludes other
 * writers. When anything throws, no row stays, but the tables do.
 *
 * @throws OperatorError when the database is in use (it is not migrated then), or when it cannot be
 * migrated
 */
export const fillPostgres = async <T>(
	url: string,
	work: (target: Pick<Database, 'insert' | '$count'>) => Promise<T>,
	access?: DatabaseAccess
): Promise<T> => {
	const { drizzle } = await import('drizzle-orm/postgres-js');
	const settings = {
		statement_timeout: 0,
		idle_in_transaction_session_timeout: 0,
		lock_timeout: LOCK_TIMEOUT_MS
	};
	const client = await connectorTo(url, access)
		.then((connect) => connectWithRetries(connect, settings, 0))
		.catch(fail);
	try {
		const db = drizzle(client);
		// The database may belong to another application, so check it before any change.
		await refuseUsed(db);
		await migratePostgres(url, { access });
		return await db.transaction(async (tx) => {
			for (const table of Object.values(tables)) {
				await tx.execute(sql`lock table ${table} in exclusive mode`);
			}
			await refuseUsed(tx);
			return work(tx);
		});
	} finally {
		await client.end({ timeout: 5 });
	}
};

/** Refuses rows in tables with our names. The migration refuses such a table of another program. */
const refuseUsed = async (db: Pick<Database, 'execute'>): Promise<void> => {
	for (const table of Object.values(tables)) {
		const name = getTableName(table);
		const [found] = await db.execute(
			sql`select to_regclass(quote_ident(${name})) is not null as there`
		);
		if (found?.['there'] !== true) continue;
		if ((await db.execute(sql`select 1 from ${table} limit 1`)).length === 0) continue;
		throw new OperatorError(
			`the target database is not empty. It has rows in the table ${name}. Copy into a new database`
		);
	}
};
