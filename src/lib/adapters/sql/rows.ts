import { sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Session } from '#lib/domain/sessions/session.ts';
import type { User } from '#lib/domain/account/user.ts';
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

/** Without the hash of the token: what is found by it need not carry it. */
export const sessionColumns = ({ session }: Tables): Pick<Tables['session'], keyof Session> => ({
	id: session.id,
	userId: session.userId,
	expiresAt: session.expiresAt,
	createdAt: session.createdAt,
	updatedAt: session.updatedAt,
	ipAddress: session.ipAddress,
	userAgent: session.userAgent
});

/** A placeholder that goes through the column's encoder, which a bare one inside SQL would not. */
export const bound = (name: string, column: AnyColumn): SQL =>
	sql`${sql.param(sql.placeholder(name), column)}`;

/**
 * A placeholder for a text that is looked up in a join. There SQLite's planner looks at a value that
 * is compared as it is bound, and so plans the statement anew for each: twice the time of the lookup.
 */
export const asText = (name: string): SQL => sql`cast(${sql.placeholder(name)} as text)`;

/** In an upsert: the value that was to be inserted. */
export const excluded = (column: AnyColumn): SQL => sql`excluded.${sql.identifier(column.name)}`;

/**
 * Of the rows that `dead` holds for at most `limit`, by their key; the `first` ones by an order that
 * an index has. The order is what finds them through it: any other way is longer with every row
 * that was removed before, or lives.
 *
 * The inner query is named so that it runs once whatever the planner makes of it; run again it would
 * skip its own locks and go on to further rows. What it found need not be judged again: it is
 * locked, or nobody else can write.
 */
export const atMost = (
	limit: number,
	key: AnyColumn,
	dead: SQL | undefined,
	skipLocked: Sql['skipLocked'],
	first: readonly AnyColumn[] = []
): SQL => {
	const order = first.length === 0 ? sql.empty() : sql`order by ${sql.join([...first], sql`, `)}`;
	return sql`${key} in (with dying as (select ${key} as dying_key from ${key.table} where ${dead} ${order} limit ${limit} ${skipLocked}) select dying_key from dying)`;
};
