import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Sqlite from 'better-sqlite3';
import postgres from 'postgres';
import { sqliteFile } from '../../tests/support/http/database.ts';
import type { Cell, TableRows } from './rows.ts';

/** Fills a migrated database and finishes its maintenance, as if it had been idle for a while. */
export const writeRows = (url: string, tables: readonly TableRows[]): Promise<void> =>
	url.startsWith('file:') ? writeSqlite(sqliteFile(url), tables) : writePostgres(url, tables);

const writeSqlite = async (file: string, tables: readonly TableRows[]): Promise<void> => {
	const client = new Sqlite(file);
	try {
		client.pragma('synchronous = OFF');
		client.pragma('cache_size = -400000');
		for (const { table, columns, rows } of tables) {
			const places = columns.map(() => '?').join(', ');
			const insert = client.prepare(
				`insert into "${table}" (${columns.join(', ')}) values (${places})`
			);
			client.transaction(() => {
				for (const row of rows) insert.run(row.map(inSqlite));
			})();
		}
		client.pragma('wal_checkpoint(truncate)');
	} finally {
		client.close();
	}
};

const inSqlite = (cell: Cell): string | number | null => {
	if (typeof cell === 'boolean') return Number(cell);
	return cell instanceof Date ? cell.getTime() : cell;
};

const writePostgres = async (url: string, tables: readonly TableRows[]): Promise<void> => {
	const client = postgres(url, { max: 1, onnotice: () => undefined });
	try {
		for (const { table, columns, rows } of tables) {
			const copy = await client
				.unsafe(`copy "${table}" (${columns.join(', ')}) from stdin`)
				.writable();
			await pipeline(Readable.from(lines(rows)), copy);
		}
		// Otherwise this maintenance would start during the measurement.
		await client`vacuum (analyze, freeze)`;
		await client`checkpoint`;
	} finally {
		await client.end();
	}
};

/** Rows are written in batches, because one write per row is slow. */
const ROWS_PER_PIECE = 1000;

function* lines(rows: TableRows['rows']): Iterable<string> {
	let piece: string[] = [];
	for (const row of rows) {
		piece.push(`${row.map(inCopy).join('\t')}\n`);
		if (piece.length < ROWS_PER_PIECE) continue;
		yield piece.join('');
		piece = [];
	}
	yield piece.join('');
}

const inCopy = (cell: Cell): string => {
	if (cell === null) return '\\N';
	return cell instanceof Date ? cell.toISOString() : String(cell);
};
