import {
	boolean,
	customType,
	index,
	integer,
	pgTable,
	primaryKey,
	text,
	timestamp,
	unique,
	uniqueIndex,
	uuid
} from 'drizzle-orm/pg-core';

/** What the tables are defined with, in `adapters/sql`. */
export const columns = {
	table: pgTable,
	id: uuid,
	text,
	/** A text that sorts by its bytes, so that its index finds prefixes. On SQLite every text does. */
	byteOrderedText: customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' }),
	integer,
	flag: boolean,
	/** A UTC time in milliseconds. */
	instant: (name: string) => timestamp(name, { precision: 3, withTimezone: true, mode: 'date' }),
	index,
	unique,
	uniqueIndex,
	primaryKey
};
