import { isDeepStrictEqual } from 'node:util';
import { getTableName } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { OperatorError } from '#lib/operator-messages.ts';
import { storeFault, type Database, type Tables } from './sql.ts';

export type TableName = keyof Tables;

export interface CopySource {
	/** The rows of a table as the builders insert them, in batches. */
	rows(table: TableName): Iterable<Record<string, unknown>[]>;
}

export interface CopiedTable {
	readonly table: string;
	readonly rows: number;
}

/**
 * Copies all rows, and compares each one with what the database has stored. A table comes after
 * those that it references, as in `tables`. One batch is in memory at a time.
 *
 * @throws OperatorError when rows are refused or differ. The caller rolls back.
 */
export const copyTables = async (
	tables: Tables,
	source: CopySource,
	target: Pick<Database, 'insert' | '$count'>
): Promise<readonly CopiedTable[]> => {
	const copied: CopiedTable[] = [];
	for (const name of Object.keys(tables) as TableName[]) {
		const [table, what]: [PgTable, string] = [tables[name], getTableName(tables[name])];
		let rows = 0;
		for (const batch of source.rows(name)) {
			const inserted = await target
				.insert(table)
				.values(batch)
				.returning()
				.catch((error: unknown) => refuseRows(what, error));
			if (!isDeepStrictEqual(inserted, batch)) refuseDifference(what);
			rows += batch.length;
		}
		if ((await target.$count(table)) !== rows) refuseDifference(what);
		copied.push({ table: what, rows });
	}
	return copied;
};

const refuseDifference = (table: string): never => {
	throw new OperatorError(`the table ${table} differs after the copy, so nothing was copied`);
};

/** The server's message can hold values of rows. A code and the constraint's name cannot. */
const refuseRows = (table: string, error: unknown): never => {
	const cause = (error as { cause?: { constraint_name?: string } }).cause;
	const code = [storeFault(error).reason, cause?.constraint_name ?? ''].join(' ').trim();
	throw new OperatorError(
		`PostgreSQL refused the rows of the table ${table} (${code}), so nothing was copied`
	);
};
