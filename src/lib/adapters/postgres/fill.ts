import type { TransactionSql } from 'postgres';
import type {
	ColumnLayout,
	CopyTarget,
	Plain,
	PlainRow,
	TableLayout
} from '#lib/adapters/sql/copy/copy-tables.ts';
import { OperatorError } from '../sql/operator-error.ts';
import { storeFault } from '../sql/sql.ts';
import { refuseForeignTables, refuseOtherEncodings, refuseRows } from './empty-target.ts';
import type { DatabaseAccess } from '#lib/config/database.ts';
import { connectPatiently } from './connect-patiently.ts';
import { connectorTo, sessionSettings } from './connect.ts';
import { migratePostgres } from './migrate.ts';
import { tlsFault } from './start-fault.ts';

/** The number of rows per read. */
const BATCH = 1000;
/** No other client should use this database. A server that does has short transactions. */
const LOCK_TIMEOUT_MS = 5000;

/**
 * Migrates an empty database, then lets `work` fill it in one transaction that excludes other
 * writers. When anything throws, no row stays, but the tables do.
 *
 * @throws OperatorError when a table holds rows (such a database is not migrated), or when the database
 * cannot be migrated
 */
export const fillPostgres = async <T>(
	url: string,
	tables: readonly TableLayout[],
	work: (target: CopyTarget) => Promise<T>,
	access?: DatabaseAccess
): Promise<T> => {
	const options = {
		max: 1,
		max_lifetime: null,
		connect_timeout: 5,
		fetch_types: false,
		onnotice: () => {},
		connection: {
			...sessionSettings,
			statement_timeout: 0,
			idle_in_transaction_session_timeout: 0,
			lock_timeout: LOCK_TIMEOUT_MS
		}
	};
	const client = await connectPatiently(await connectorTo(url, access), options, 0).catch(
		(error: unknown) => {
			throw tlsFault(error) ?? error;
		}
	);
	try {
		await refuseOtherEncodings(client);
		// The database may belong to another application, so check it before any change.
		await refuseForeignTables(client, tables);
		await refuseRows(client, tables);
		await migratePostgres(url, { access });
		return (await client.begin(async (tx) => {
			for (const { name } of tables) await tx`lock table ${tx(name)} in exclusive mode`;
			await refuseRows(tx, tables);
			return work(targetOf(tx));
		})) as T;
	} finally {
		await client.end({ timeout: 5 });
	}
};

const targetOf = (tx: TransactionSql): CopyTarget => ({
	add: async (table, rows) => {
		const names = table.columns.map(({ name }) => name);
		const records = rows.map((row) => recordOf(table, row));
		try {
			await tx`insert into ${tx(table.name)} ${tx(records, names)}`;
		} catch (error) {
			if (error instanceof OperatorError) throw error;
			// The server's message can hold values of rows. A code and the constraint's name cannot.
			const constraint = (error as { constraint_name?: string }).constraint_name;
			const code = [storeFault(error).reason, constraint ?? ''].join(' ').trim();
			throw new OperatorError(
				`PostgreSQL refused the rows of the table ${table.name} (${code}), so nothing was copied`
			);
		}
	},
	rows: async function* ({ name, columns, key }) {
		const text = new Set(columns.filter(({ type }) => type === 'text').map((each) => each.name));
		const order = key.flatMap((each, i) => [
			...(i > 0 ? [tx`,`] : []),
			// Ordered by bytes, as in SQLite, whatever the database's collation is.
			text.has(each) ? tx`${tx(each)}::text collate "C"` : tx`${tx(each)}`
		]);
		const names = columns.map((each) => each.name);
		const query = tx`select ${tx(names)} from ${tx(name)} order by ${order}`;
		for await (const rows of query.cursor(BATCH)) {
			yield rows.map((row) => names.map((each) => plain(row[each])));
		}
	}
});

type Stored = string | number | boolean | Date | null;

const recordOf = ({ name, columns }: TableLayout, row: PlainRow): Record<string, Stored> =>
	Object.fromEntries(
		columns.map((column, i) => [column.name, stored(name, column, row[i] ?? null)])
	);

const stored = (table: string, { name, type }: ColumnLayout, value: Plain): Stored => {
	if (typeof value === 'string' && value.includes('\0')) {
		throw new OperatorError(
			`a text in ${table}.${name} contains a NUL byte, which PostgreSQL cannot store. Correct that row and copy again`
		);
	}
	if (typeof value !== 'number') return value;
	if (!Number.isSafeInteger(value)) {
		throw new OperatorError(
			`${table}.${name} holds ${value}, which is not an integer. Correct that row and copy again`
		);
	}
	if (type === 'instant') return new Date(value);
	return type === 'boolean' ? value !== 0 : value;
};

const plain = (value: Stored): Plain => {
	if (value instanceof Date) return value.getTime();
	return typeof value === 'boolean' ? Number(value) : value;
};
