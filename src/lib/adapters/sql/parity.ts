import type { tables as postgres } from '../postgres/schema.ts';
import type { tables as sqlite } from '../sqlite/schema.ts';

/** True only for types that are equal in every detail, optional and readonly included. */
type Equal<A, B> =
	(<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

interface Rows {
	readonly $inferSelect: unknown;
	readonly $inferInsert: unknown;
}
type Selected<Tables extends Record<string, Rows>> = {
	[Name in keyof Tables]: Tables[Name]['$inferSelect'];
};
type Inserted<Tables extends Record<string, Rows>> = {
	[Name in keyof Tables]: Tables[Name]['$inferInsert'];
};

/**
 * The repositories are written once, against the PostgreSQL types. These lines make that safe for
 * SQLite: a column that only one schema has, or that has another type there, does not compile.
 */
export const rowsAgree: Equal<Selected<typeof postgres>, Selected<typeof sqlite>> = true;
export const insertsAgree: Equal<Inserted<typeof postgres>, Inserted<typeof sqlite>> = true;
