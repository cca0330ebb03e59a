import Sqlite from 'better-sqlite3';
import postgres from 'postgres';
import { TIME_SCHEMA } from '../postgres/time.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A database read from outside, next to the server that uses it. */
export interface Database {
	/** Runs one statement and returns its rows. */
	rows(statement: string): Promise<readonly Row[]>;
	/** Every row of every table, by table. */
	dump(): Promise<Readonly<Record<string, readonly Row[]>>>;
	close(): Promise<void>;
}

export const sqliteFile = (url: string): string => url.replace(/^file:/, '');

export const openDatabase = (url: string): Database =>
	url.startsWith('file:') ? openSqlite(url) : openPostgres(url);

const openSqlite = (url: string): Database => {
	const client = new Sqlite(sqliteFile(url), { timeout: 5000 });
	const rows = async (statement: string): Promise<readonly Row[]> => {
		const prepared = client.prepare(statement);
		if (prepared.reader) return prepared.all() as Row[];
		prepared.run();
		return [];
	};
	return {
		rows,
		dump: () => dumpOf(rows, "select name from sqlite_master where type = 'table'"),
		close: async () => void client.close()
	};
};

const openPostgres = (url: string): Database => {
	const client = postgres(url, { max: 1, onnotice: () => {} });
	const rows = async (statement: string): Promise<readonly Row[]> => client.unsafe(statement);
	return {
		rows,
		dump: () =>
			dumpOf(
				rows,
				`select table_schema || '"."' || table_name as name from information_schema.tables
				where table_schema not in ('pg_catalog', 'information_schema', '${TIME_SCHEMA}')`
			),
		close: () => client.end()
	};
};

const dumpOf = async (
	rows: Database['rows'],
	tables: string
): Promise<Readonly<Record<string, readonly Row[]>>> => {
	const found: Record<string, readonly Row[]> = {};
	for (const { name } of await rows(tables)) {
		found[String(name).replace(/^.*"/, '')] = await rows(`select * from "${String(name)}"`);
	}
	return found;
};

/** Every row but the counts of codes, which the server stores a second later. */
export const factsIn = async (database: Database): ReturnType<Database['dump']> => {
	const { event = [], ...others } = await database.dump();
	return { ...others, event: event.filter(({ kind }) => !String(kind).startsWith('code_')) };
};

/** Every value of a dump as text. */
export const textsOf = (dump: Readonly<Record<string, readonly Row[]>>): readonly string[] => [
	...new Set(
		Object.values(dump)
			.flat()
			.flatMap((row) => Object.values(row))
			.filter((value) => value !== null)
			.map((value) => {
				if (Buffer.isBuffer(value)) return value.toString('hex');
				return value instanceof Date ? value.toISOString() : String(value);
			})
	)
];
