import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { getTableColumns, getTableName, type Column } from 'drizzle-orm';
import type { CopySource } from '../sql/copy-tables.ts';
import { pendingMigrations, shippedMigrations, type DoneMigration } from '../sql/migrations.ts';
import { OperatorError, reasonOf } from '#lib/operator-messages.ts';
import { databasePath } from './file.ts';
import { tables } from './schema.ts';

/** A server that starts or stops can lock the file for a moment. */
const BUSY_TIMEOUT_MS = 10_000;
const BATCH = 1000;

interface ReadOnly {
	readonly path: string;
	readonly client: Database;
	readonly journal: readonly DoneMigration[];
}

/**
 * Opens a Postern database in its current state. Later writes are not visible. It neither creates
 * nor migrates the database and does not block writers.
 *
 * @throws OperatorError when there is no file, or when it is not a Postern database.
 */
export const openReadOnly = async (url: string): Promise<ReadOnly> => {
	const path = databasePath(url);
	if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) {
		throw new OperatorError(`there is no database file ${path}. Check the path`);
	}
	const { default: Client } = await import('better-sqlite3');
	const client = new Client(path, {
		readonly: true,
		fileMustExist: true,
		timeout: BUSY_TIMEOUT_MS
	});
	try {
		client.exec('begin');
		return { path, client, journal: journalOf(client) };
	} catch (error) {
		client.close();
		if (/SQLITE_NOTADB|no such table/.test(`${reasonOf(error)} ${String(error)}`)) {
			throw new OperatorError(`${path} is not a Postern database. Check the path`);
		}
		throw error;
	}
};

export const journalOf = (client: Database): readonly DoneMigration[] =>
	client
		.prepare<[], DoneMigration>(
			'select hash, created_at as at from __drizzle_migrations order by created_at'
		)
		.all();

/** Every table except SQLite's own and the journal. */
const tableNames = (client: Database): readonly string[] =>
	client
		.prepare<[], string>(
			"select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> '__drizzle_migrations' order by name"
		)
		.pluck()
		.all();

interface Snapshot extends CopySource {
	readonly tables: readonly string[];
	/** Releases the snapshot. True when a process has written since. */
	writtenSince(): boolean;
	close(): void;
}

/**
 * A SQLite database at one moment, also while a server writes to it.
 *
 * @throws OperatorError when it is not a Postern database, or not on the schema of this version
 */
export const openSnapshot = async (url: string): Promise<Snapshot> => {
	const { path, client, journal } = await openReadOnly(url);
	try {
		if (pendingMigrations(shippedMigrations('sqlite'), journal).length > 0) {
			throw new OperatorError(
				`${path} has an older schema. Start this version with it once, then copy`
			);
		}
		const version = (): unknown => client.pragma('data_version', { simple: true });
		const before = version();
		return {
			tables: tableNames(client),
			rows: function* (name) {
				const columns = Object.entries<Column>(getTableColumns(tables[name]));
				const statement = client.prepare<[], Readonly<Record<string, unknown>>>(
					`select * from "${getTableName(tables[name])}"`
				);
				let batch: Record<string, unknown>[] = [];
				for (const values of statement.iterate()) {
					const row = columns.map(([key, column]) => {
						const value = values[column.name];
						return [key, value === null ? null : column.mapFromDriverValue(value)];
					});
					batch.push(Object.fromEntries(row) as Record<string, unknown>);
					if (batch.length < BATCH) continue;
					yield batch;
					batch = [];
				}
				if (batch.length > 0) yield batch;
			},
			writtenSince: () => {
				client.exec('commit');
				return version() !== before;
			},
			close: () => void client.close()
		};
	} catch (error) {
		client.close();
		throw error;
	}
};
