import { sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { Tables } from './sql.ts';

export const userColumns = ({ user }: Tables) => ({
	id: user.id,
	email: user.email,
	emailVerified: user.emailVerified,
	name: user.name,
	image: user.image,
	createdAt: user.createdAt,
	updatedAt: user.updatedAt
});

/** Without the hash of the token: what is found by it need not carry it. */
export const sessionColumns = ({ session }: Tables) => ({
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
