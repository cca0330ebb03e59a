import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import { migrate as migrateSqlite } from 'drizzle-orm/better-sqlite3/migrator';
import { drizzle as drizzlePostgres } from 'drizzle-orm/postgres-js';
import { migrate as migratePostgres } from 'drizzle-orm/postgres-js/migrator';
import Sqlite from 'better-sqlite3';
import postgres from 'postgres';
import { sqliteFile } from '../http/database.ts';

/** As the library’s documentation shows: without a lock between two instances. */
export const naiveMigrate = async (url: string): Promise<void> => {
	if (url.startsWith('file:')) {
		const client = new Sqlite(sqliteFile(url), { timeout: 30_000 });
		migrateSqlite(drizzleSqlite(client), { migrationsFolder: 'drizzle/sqlite' });
		client.close();
		return;
	}
	const client = postgres(url, { max: 1, onnotice: () => {} });
	try {
		await migratePostgres(drizzlePostgres(client), { migrationsFolder: 'drizzle/postgres' });
	} finally {
		await client.end();
	}
};
