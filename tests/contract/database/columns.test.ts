import { getTableColumns } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { columns as postgres } from '#lib/adapters/postgres/columns.ts';
import { sqliteColumns as sqlite } from '#lib/adapters/sqlite/columns.ts';

/** True only for types that are equal in every detail, optional and readonly included. */
type Equal<A, B> =
	(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

// Two columns of every kind: a table can leave it nullable or require it.
const ofPostgres = postgres.table('example', {
	id: postgres.id('id').primaryKey(),
	text: postgres.text('text').notNull().default(''),
	integer: postgres.integer('integer').notNull(),
	flag: postgres.flag('flag').notNull().default(false),
	instant: postgres.instant('instant').notNull(),
	noId: postgres.id('no_id'),
	noText: postgres.text('no_text'),
	noInteger: postgres.integer('no_integer'),
	noFlag: postgres.flag('no_flag'),
	noInstant: postgres.instant('no_instant')
});
const ofSqlite = sqlite.table('example', {
	id: sqlite.id('id').primaryKey(),
	text: sqlite.text('text').notNull().default(''),
	integer: sqlite.integer('integer').notNull(),
	flag: sqlite.flag('flag').notNull().default(false),
	instant: sqlite.instant('instant').notNull(),
	noId: sqlite.id('no_id'),
	noText: sqlite.text('no_text'),
	noInteger: sqlite.integer('no_integer'),
	noFlag: sqlite.flag('no_flag'),
	noInstant: sqlite.instant('no_instant')
});

test('a column of either engine has rows of the same type', () => {
	// These two lines do not compile when a type differs.
	const rowsAgree: Equal<typeof ofPostgres.$inferSelect, typeof ofSqlite.$inferSelect> = true;
	const insertsAgree: Equal<typeof ofPostgres.$inferInsert, typeof ofSqlite.$inferInsert> = true;
	expect([rowsAgree, insertsAgree]).toEqual([true, true]);

	const typesOf = (table: typeof ofPostgres | typeof ofSqlite): readonly string[] =>
		Object.values(getTableColumns(table)).map(({ dataType }) => dataType);
	expect(typesOf(ofSqlite)).toEqual(typesOf(ofPostgres));
});
