import { getTableColumns, sql, type AnyColumn, type Placeholder, type SQL } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import type { Account } from '#lib/domain/account/ports.ts';
import type { Session } from '#lib/domain/sessions/ports.ts';
import type { User } from '#lib/domain/user.ts';
import type { Sql, Tables } from './sql.ts';

export const userColumns = ({ user }: Tables): Pick<Tables['user'], keyof User> => ({
	id: user.id,
	email: user.email,
	emailVerified: user.emailVerified,
	name: user.name,
	image: user.image,
	createdAt: user.createdAt,
	updatedAt: user.updatedAt
});

export const accountColumns = ({ user }: Tables): Pick<Tables['user'], keyof Account> =>
	getTableColumns(user);

/** Without the hash of the token, which a lookup by that hash already knows. */
export const sessionColumns = ({ session }: Tables): Pick<Tables['session'], keyof Session> => {
	const { tokenHash: _hash, deviceId: _device, ...columns } = getTableColumns(session);
	return columns;
};

/** A placeholder that uses the column's encoder. A bare placeholder inside SQL would not. */
export const encodedPlaceholder = (name: string, column: AnyColumn): SQL =>
	sql`${sql.param(sql.placeholder(name), column)}`;

/**
 * A placeholder, cast to the type of the column, for lookups in a join or a subselect. Uncast, SQLite
 * would plan again for each value, which takes longer than the lookup.
 */
export const asColumn = (name: string, column: AnyColumn): SQL =>
	sql`cast(${sql.placeholder(name)} as ${sql.raw(column.getSQLType())})`;

/** In an upsert: the value that was to be inserted. */
export const excluded = (column: AnyColumn): SQL => sql`excluded.${sql.identifier(column.name)}`;

/** For the values of an insert: a placeholder for each column, with the column's name. */
export const placeholdersFor = <Columns extends object>(
	columns: Columns
): Record<keyof Columns, Placeholder> =>
	Object.fromEntries(Object.keys(columns).map((name) => [name, sql.placeholder(name)])) as never;

/**
 * Selects at most `limit` rows that match `condition`, by their key. `first` gives an order that an
 * index has. The order makes the planner use that index. Any other plan gets slower with every
 * removed or remaining row.
 *
 * The inner query has a name so that it runs once under any plan. A second run would skip the rows that
 * the first one locked, and find others. The found rows need no second check: they are locked, or there is
 * only one writer.
 */
export const atMost = (
	limit: number,
	key: AnyPgColumn | readonly AnyPgColumn[],
	condition: SQL | undefined,
	skipLocked: Sql['skipLocked'],
	first: readonly AnyPgColumn[] = []
): SQL => {
	const keys = [key].flat();
	const columns = sql.join(keys, sql`, `);
	const order = first.length === 0 ? sql.empty() : sql`order by ${sql.join([...first], sql`, `)}`;
	return sql`(${columns}) in (with chosen as (select ${columns} from ${keys[0]?.table} where ${condition} ${order} limit ${limit} ${skipLocked}) select * from chosen)`;
};

/** Deletes at most `limit` rows that match `condition`, and counts them (see `atMost`). */
export const deleteSome = async (
	{ db, run, skipLocked }: Sql,
	limit: number,
	key: AnyPgColumn | readonly [AnyPgColumn, AnyPgColumn],
	condition: SQL | undefined,
	first: readonly AnyPgColumn[]
): Promise<number> => {
	const [column] = [key].flat() as [AnyPgColumn];
	const removed = await run(() =>
		db
			.delete(column.table)
			.where(atMost(limit, key, condition, skipLocked, first))
			.returning({ column })
	);
	return removed.length;
};
