import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import type { DoneMigration } from '../sql/migrations.ts';
import { OperatorError } from '../sql/operator-error.ts';
import { pathOf } from './file.ts';

/** A server that starts or stops can lock the file for a moment. */
const BUSY_TIMEOUT_MS = 10_000;

export interface ReadOnly {
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
	const path = pathOf(url);
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
		if (/SQLITE_NOTADB|no such table/.test(`${codeOf(error)} ${String(error)}`)) {
			throw new OperatorError(`${path} is not a Postern database. Check the path`);
		}
		throw error;
	}
};

const codeOf = (error: unknown): string =>
	error instanceof Error && 'code' in error ? String(error.code) : '';

/** The migrations that the database has run, oldest first. */
export const journalOf = (client: Database): readonly DoneMigration[] =>
	client
		.prepare<[], DoneMigration>(
			'select hash, created_at as at from __drizzle_migrations order by created_at'
		)
		.all();

/** Every table except SQLite's own and the journal. */
export const tableNames = (client: Database): readonly string[] =>
	client
		.prepare<[], string>(
			"select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' and name <> '__drizzle_migrations' order by name"
		)
		.pluck()
		.all();
