import {
	index,
	integer,
	primaryKey,
	sqliteTable,
	text,
	unique,
	uniqueIndex
} from 'drizzle-orm/sqlite-core';
import type { Columns } from '../sql/columns.ts';

export const sqliteColumns = {
	table: sqliteTable,
	id: text,
	text,
	byteOrderedText: text,
	integer,
	flag: (name: string) => integer(name, { mode: 'boolean' }),
	/** A UTC time in milliseconds. */
	instant: (name: string) => integer(name, { mode: 'timestamp_ms' }),
	index,
	unique,
	uniqueIndex,
	primaryKey
} satisfies Record<keyof Columns, unknown>;

/**
 * The same columns as on PostgreSQL, under the types of PostgreSQL. The values in the rows have
 * the same types on both (see tests/contract/database/columns.test.ts).
 */
export const columns = sqliteColumns as unknown as Columns;
