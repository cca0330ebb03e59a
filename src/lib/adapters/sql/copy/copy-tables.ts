import { createHash } from 'node:crypto';
import { OperatorError } from '../operator-error.ts';

/** Values that both engines represent alike: times are epoch milliseconds, booleans 0 and 1. */
export type Plain = string | number | null;
/** The values of a row in the order of its table's columns. */
export type PlainRow = readonly Plain[];

export interface ColumnLayout {
	readonly name: string;
	readonly type: 'text' | 'number' | 'boolean' | 'instant';
}

/** A table in the form that both engines share. */
export interface TableLayout {
	readonly name: string;
	readonly columns: readonly ColumnLayout[];
	/** The columns of its primary key. Texts are ordered by their bytes. */
	readonly key: readonly string[];
}

export interface CopySource {
	/** The rows in the order of the key, read in batches. */
	rows(table: TableLayout): Iterable<readonly PlainRow[]> | AsyncIterable<readonly PlainRow[]>;
}

export interface CopyTarget extends CopySource {
	add(table: TableLayout, rows: readonly PlainRow[]): Promise<void>;
}

export interface TableSum {
	readonly rows: number;
	/** SHA-256 over all rows, in hex. */
	readonly checksum: string;
}

export interface CopiedTable extends TableSum {
	readonly table: string;
}

/**
 * Copies all rows, then reads both sides again and compares them. The data sent is no proof of
 * what arrived. One batch is in memory at a time.
 *
 * @throws OperatorError when a table differs. The caller rolls back.
 */
export const copyTables = async (
	tables: readonly TableLayout[],
	source: CopySource,
	target: CopyTarget
): Promise<readonly CopiedTable[]> => {
	for (const table of tables) {
		for await (const rows of source.rows(table)) await target.add(table, rows);
	}
	const copied: CopiedTable[] = [];
	for (const table of tables) {
		const [had, has] = [await sumOf(source, table), await sumOf(target, table)];
		if (had.rows !== has.rows || had.checksum !== has.checksum) {
			throw new OperatorError(
				`the table ${table.name} differs after the copy (${describe(had)} became ${describe(has)}), so nothing was copied`
			);
		}
		copied.push({ table: table.name, ...has });
	}
	return copied;
};

/** Rows as JSON, one a line. JSON writes each value in exactly one way. */
const sumOf = async (side: CopySource, table: TableLayout): Promise<TableSum> => {
	const hash = createHash('sha256');
	let rows = 0;
	for await (const batch of side.rows(table)) {
		for (const row of batch) hash.update(`${JSON.stringify(row)}\n`);
		rows += batch.length;
	}
	return { rows, checksum: hash.digest('hex') };
};

const describe = ({ rows, checksum }: TableSum): string => `${rows} rows, ${checksum.slice(0, 12)}`;
