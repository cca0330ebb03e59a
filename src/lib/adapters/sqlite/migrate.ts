import type { Database } from 'better-sqlite3';
import { readMigrationFiles } from 'drizzle-orm/migrator';

/** Another instance may be at it; a start can wait longer than a request. */
const WAIT_MS = 30_000;

/**
 * Runs what drizzle-kit generated and is not in the journal table yet. Drizzle's own migrator
 * reads the journal before it begins its transaction, so two processes that start at once would
 * both run the same file; here the lock comes first. The table is drizzle's.
 *
 * Leaves foreign keys off: a rebuilt table is dropped in between, which must not cascade.
 */
export const migrateSqlite = (client: Database, busyTimeout: number): void => {
	const migrations = readMigrationFiles({ migrationsFolder: 'drizzle/sqlite' });
	client.pragma('foreign_keys = OFF');
	client.pragma(`busy_timeout = ${WAIT_MS}`);
	client
		.transaction(() => {
			client.exec(
				'create table if not exists __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)'
			);
			const last = client
				.prepare<[], number | null>('select max(created_at) from __drizzle_migrations')
				.pluck()
				.get();
			const done = client.prepare(
				'insert into __drizzle_migrations (hash, created_at) values (?, ?)'
			);
			for (const { sql, hash, folderMillis } of migrations) {
				if (folderMillis <= (last ?? -1)) continue;
				for (const statement of sql) client.exec(statement);
				done.run(hash, folderMillis);
			}
			const broken = client.pragma('foreign_key_check') as unknown[];
			if (broken.length > 0) throw new Error('a migration left rows that refer to nothing');
		})
		.immediate();
	client.pragma(`busy_timeout = ${busyTimeout}`);
};
