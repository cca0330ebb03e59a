import type { Sql, TransactionSql } from 'postgres';
import type { TableLayout } from '#lib/adapters/sql/copy/copy-tables.ts';
import { OperatorError } from '../sql/operator-error.ts';

/** Only UTF-8 can hold every text that SQLite holds. */
export const refuseOtherEncodings = async (client: Sql): Promise<void> => {
	const [row] = await client`show server_encoding`;
	const encoding = String(row?.['server_encoding']);
	if (encoding !== 'UTF8') {
		throw new OperatorError(
			`the target database is encoded in ${encoding}, which cannot store every name. Create a database with encoding UTF8`
		);
	}
};

/** Refuses tables of these names that Postern did not create, even when they are empty. */
export const refuseForeignTables = async (
	client: Sql,
	tables: readonly TableLayout[]
): Promise<void> => {
	const [ours] = await client`select to_regclass('drizzle.__drizzle_migrations')::text as name`;
	if (ours?.['name'] !== null) return;
	for (const table of tables) {
		if (await exists(client, table)) {
			throw new OperatorError(
				`the target database contains a table ${table.name} that Postern did not create. Use a new database`
			);
		}
	}
};

/** Refuses tables that hold rows, so that nothing is mixed or overwritten. */
export const refuseRows = async (
	client: Sql | TransactionSql,
	tables: readonly TableLayout[]
): Promise<void> => {
	for (const table of tables) {
		if (!(await exists(client, table))) continue;
		const rows = await client`select 1 from ${client(table.name)} limit 1`;
		if (rows.length > 0) {
			throw new OperatorError(
				`the target database is not empty. It has rows in the table ${table.name}. Copy into a new database`
			);
		}
	}
};

const exists = async (client: Sql | TransactionSql, { name }: TableLayout): Promise<boolean> => {
	const [found] = await client`select to_regclass(quote_ident(${name}))::text as name`;
	return found?.['name'] !== null;
};
