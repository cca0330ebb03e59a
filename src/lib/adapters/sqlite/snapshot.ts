import { isUtf8 } from 'node:buffer';
import type {
	ColumnLayout,
	CopySource,
	Plain,
	PlainRow,
	TableLayout
} from '#lib/adapters/sql/copy/copy-tables.ts';
import { pendingMigrations, shippedMigrations } from '../sql/migrations.ts';
import { OperatorError } from '../sql/operator-error.ts';
import { openReadOnly, tableNames } from './read-only.ts';

/** The number of rows per read. */
const BATCH = 1000;

export interface Snapshot extends CopySource {
	/** All tables, including those that this program does not know. */
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
			rows: function* (table) {
				const { name, columns, key } = table;
				// Reads texts as bytes: the driver would silently replace those that are not valid UTF-8.
				const wanted = columns.map(({ name: each, type }) =>
					type === 'text' ? `cast("${each}" as blob)` : `"${each}"`
				);
				const order = key.map((each) => `"${each}"`);
				const statement = client
					.prepare<[], (Plain | Buffer)[]>(
						`select ${wanted.join()} from "${name}" order by ${order.join()}`
					)
					.raw();
				let batch: PlainRow[] = [];
				for (const row of statement.iterate()) {
					batch.push(row.map((value, i) => plain(table, columns[i], value)));
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

const plain = (
	{ name }: TableLayout,
	column: ColumnLayout | undefined,
	value: Plain | Buffer
): Plain => {
	if (!Buffer.isBuffer(value)) return value;
	if (!isUtf8(value)) {
		throw new OperatorError(
			`a text in ${name}.${column?.name ?? ''} is not valid UTF-8, which PostgreSQL cannot store. Correct that row and copy again`
		);
	}
	return value.toString('utf8');
};
