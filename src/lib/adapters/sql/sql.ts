import type { SQL } from 'drizzle-orm';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import type { tables } from '../postgres/schema.ts';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { OpenDatabase } from '#lib/domain/ports/storage.ts';

export type Tables = typeof tables;
export type Database = PostgresJsDatabase;
/** What a statement of a transaction is built with. */
export type Transaction = Pick<Database, 'select' | 'insert' | 'update' | 'delete'>;

/** A statement that was built and not run yet: every builder that returns rows is one. */
export interface Statement<Row> {
	prepare(name: string): Prepared<Row>;
}

interface Prepared<Row> {
	/** With a value for each of its placeholders. */
	execute(values?: Record<string, unknown>): Promise<Row[]>;
}

/**
 * The statements of a transaction, one after the other, each answered with its rows. A generator
 * because one engine runs them synchronously and the other does not.
 */
export type Work<T> = Generator<Statement<unknown>, T, unknown[]>;

/** An open database of either engine. Its types are PostgreSQL's; parity.ts says why that holds. */
export interface Sql extends OpenDatabase {
	readonly db: Database;
	readonly tables: Tables;
	/** Ends a subselect of rows to delete, so that two prunings at once pass each other by. */
	readonly skipLocked: SQL;
	/**
	 * Runs one statement. Whatever the driver throws leaves as `StoreUnavailable`. A prepared one that
	 * writes often says so: where a commit holds up the whole process, it shares one with others.
	 */
	ask<T>(statement: () => PromiseLike<T>, kind?: 'write'): Promise<T>;
	/** Runs all of the statements or, when anything throws, none. */
	atomic<T>(work: (tx: Transaction) => Work<T>): Promise<T>;
}

/** Yields one statement and types its rows. */
export function* rowsOf<Row>(statement: Statement<Row>): Work<Row[]> {
	return (yield statement) as Row[];
}

/**
 * A statement that many transactions run, with placeholders. On SQLite all of them run on one
 * object, so there it is built and prepared once; on PostgreSQL once in each.
 */
export const reusable = <Row>(
	build: (tx: Transaction, tables: Tables) => Statement<Row>
): ((tx: Transaction, tables: Tables, values: Record<string, unknown>) => Work<Row[]>) => {
	const built = new WeakMap<Transaction, Prepared<Row>>();
	return (tx, tables, values) => {
		const prepared = built.get(tx) ?? build(tx, tables).prepare('step');
		built.set(tx, prepared);
		return rowsOf({ prepare: () => ({ execute: () => prepared.execute(values) }) });
	};
};

const CODE = /^[A-Z0-9_]{2,40}$/;

/**
 * What the rest of the program may know of a driver's error. Only a code or a class name goes on:
 * messages hold statements and parameters, hence addresses and hashes, and so do causes.
 */
export const storeFault = (error: unknown): StoreUnavailable => {
	if (error instanceof StoreUnavailable) return error;
	for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
		if ('code' in at && typeof at.code === 'string' && CODE.test(at.code)) {
			return new StoreUnavailable(at.code);
		}
	}
	return new StoreUnavailable(error instanceof Error ? error.constructor.name : typeof error);
};

/** Whether a unique index refused it, on either engine. */
export const isUniqueViolation = (error: unknown): boolean =>
	error instanceof StoreUnavailable &&
	(error.reason === '23505' || error.reason === 'SQLITE_CONSTRAINT_UNIQUE');
