import { sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Session } from '#lib/domain/session.ts';
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

/** In an upsert: the value that was to be inserted. */
export const excluded = (column: AnyColumn): SQL => sql`excluded.${sql.identifier(column.name)}`;

/**
 * Narrows what `dead` holds for to at most `limit` rows, by their key. The inner query is named so
 * that it runs once whatever the planner makes of it; run again it would skip its own locks and
 * go on to further rows.
 */
export const atMost = (
	limit: number,
	key: AnyColumn,
	dead: SQL | undefined,
	skipLocked: Sql['skipLocked']
): SQL =>
	sql`${dead} and ${key} in (with dying as (select ${key} as dying_key from ${key.table} where ${dead} limit ${limit} ${skipLocked}) select dying_key from dying)`;
