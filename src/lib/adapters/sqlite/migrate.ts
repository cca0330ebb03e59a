import type { Database } from 'better-sqlite3';
import { migrationFailed, pendingMigrations, shippedMigrations } from '../sql/migrations.ts';
import { OperatorError } from '#lib/operator-messages.ts';
import { journalOf } from './read-only.ts';

/** Another instance may be migrating. A start can wait longer than a request. */
const WAIT_MS = 30_000;

/**
 * Runs the migrations of drizzle-kit that are not in the journal table yet. Drizzle's own
 * migrator reads the journal before its transaction begins, so two processes that start at once
 * would run the same file. Here the lock comes first. The journal table is drizzle's. One
 * transaction holds everything: if the process dies in between, the database is unchanged.
 *
 * Leaves foreign keys off, because dropping a table to rebuild it must not cascade.
 *
 * @param busyTimeout in milliseconds, set on the connection afterwards
 * @throws OperatorError for an unknown schema and for a migration that fails
 */
export const migrateSqlite = (client: Database, busyTimeout: number): void => {
	client.pragma('foreign_keys = OFF');
	client.pragma(`busy_timeout = ${WAIT_MS}`);
	client.transaction(() => migrate(client)).immediate();
	client.pragma(`busy_timeout = ${busyTimeout}`);
};

const migrate = (client: Database): void => {
	client.exec(
		'create table if not exists __drizzle_migrations (id integer primary key, hash text not null, created_at numeric)'
	);
	const done = journalOf(client);
	const record = client.prepare(
		'insert into __drizzle_migrations (hash, created_at) values (?, ?)'
	);
	const pending = pendingMigrations(shippedMigrations('sqlite'), done);
	for (const [number, { sql, hash, folderMillis }] of pending.entries()) {
		try {
			for (const statement of sql) client.exec(statement);
		} catch (error) {
			throw migrationFailed(done.length + number, (error as Error).message);
		}
		record.run(hash, folderMillis);
	}
	const broken = client.pragma('foreign_key_check') as unknown[];
	if (broken.length > 0) throw new OperatorError('a migration left rows with missing references');
};
