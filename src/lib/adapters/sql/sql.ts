import type { SQL } from 'drizzle-orm';
import type { PostgresJsDatabase } from 'drizzle-orm/postgres-js';
import { StoreUnavailable } from '#lib/domain/errors.ts';
import type { DatabaseHandle } from '#lib/domain/stores.ts';
import type { Tables } from './tables.ts';

export type { Tables };
export type Database = PostgresJsDatabase;

export interface Transaction extends Pick<Database, 'select' | 'insert' | 'update' | 'delete'> {
	readonly tables: Tables;
	readonly skipLocked: SQL;
	/**
	 * Locks a text, such as an email address, until the transaction ends, even when no row has it
	 * yet. Waits for other transactions that hold the lock.
	 */
	lockValue(value: string): Work<void>;
}

/** A statement that was built but did not run yet. Every builder is one. */
export interface Statement<Row> {
	prepare(name: string): Prepared<Row>;
}

interface Prepared<Row> {
	execute(values?: Record<string, unknown>): Promise<Row[]>;
}

/**
 * A transaction as a generator: yields a statement, gets its rows. One engine runs statements
 * synchronously and the other does not.
 */
export type Work<T> = Generator<Statement<unknown>, T, unknown[]>;

/** Its types are PostgreSQL's; the columns of SQLite have the same row types. */
export interface Sql extends DatabaseHandle {
	readonly db: Database;
	readonly tables: Tables;
	/** Ends a subselect of rows to delete: two concurrent prunings skip each other's rows. */
	readonly skipLocked: SQL;
	/**
	 * Runs one statement. Every driver error is rethrown as `StoreUnavailable`. Frequent prepared
	 * writes pass `'write'`: where a commit blocks the whole process, several such writes share one
	 * commit.
	 */
	run<T>(statement: () => PromiseLike<T>, kind?: 'write'): Promise<T>;
	/**
	 * Runs all of the statements or, when the work throws or returns a `RollBack`, none. Then the
	 * caller gets the error, or the value of the `RollBack`.
	 */
	transaction<T>(work: (tx: Transaction) => Work<T | RollBack<T>>): Promise<T>;
}

/**
 * Undoes the statements of the work. An error, because drivers roll back only when one is thrown.
 */
export class RollBack<T> extends Error {
	readonly value: T;

	constructor(value: T) {
		super('The transaction is rolled back on purpose.');
		this.value = value;
	}
}

/** For drivers, inside the transaction: throws a `RollBack` and returns any other result. */
export const throwIfRollBack = <T>(result: T | RollBack<T>): T => {
	if (result instanceof RollBack) throw result;
	return result;
};

/** For drivers, outside the transaction: returns the value of a `RollBack`, throws other errors. */
export const rollBackValue = (error: unknown): never => {
	if (error instanceof RollBack) return error.value as never;
	throw error;
};

/** Yields one statement and gives its rows their type. */
export function* rowsOf<Row>(statement: Statement<Row>): Work<Row[]> {
	return (yield statement) as Row[];
}

export function* onlyRowOf<Row>(rows: Work<Row[]>): Work<Row> {
	const [row] = yield* rows;
	if (row === undefined) throw new Error('a statement returned no row');
	return row;
}

type PreparedStep<Row> = (tx: Transaction, values: Record<string, unknown>) => Work<Row[]>;

/**
 * A statement of frequent transactions, with placeholders for its values. It is built and prepared once
 * for each `Transaction` object: on SQLite once for the process, which has one such object, and on
 * PostgreSQL once in each transaction that runs it. Other statements are built where they are yielded.
 */
export const preparedStep = <Row>(
	build: (tx: Transaction, tables: Tables) => Statement<Row>
): PreparedStep<Row> => {
	const built = new WeakMap<Transaction, Prepared<Row>>();
	return (tx, values) => {
		const prepared = built.get(tx) ?? build(tx, tx.tables).prepare('step');
		built.set(tx, prepared);
		// The driver prepares and executes each statement. This hands it the cached one with its values
		// bound.
		return rowsOf({ prepare: () => ({ execute: () => prepared.execute(values) }) });
	};
};

const CODE = /^[A-Z0-9_]{2,40}$/;

/**
 * The part of an error that may leave the adapter: a driver's code, or the class name and the frames of
 * a bug. Messages and causes hold statements and parameters, and so email addresses and hashes.
 */
export const storeFault = (error: unknown): StoreUnavailable => {
	if (error instanceof StoreUnavailable) return error;
	for (let at = error, depth = 0; at instanceof Error && depth < 4; at = at.cause, depth += 1) {
		if ('code' in at && typeof at.code === 'string' && CODE.test(at.code)) {
			return new StoreUnavailable(at.code);
		}
	}
	if (!(error instanceof Error)) return new StoreUnavailable(typeof error);
	return new StoreUnavailable(error.constructor.name, framesOf(error));
};

/** The lines of the stack after its message, which can hold values. */
const framesOf = ({ stack = '', message }: Error): string => {
	const end = stack.indexOf(message) + message.length;
	return stack.includes(message) ? (/\n[^]*/.exec(stack.slice(end))?.[0] ?? '') : '';
};

const VIOLATIONS = {
	unique: ['23505', 'SQLITE_CONSTRAINT_UNIQUE'],
	reference: ['23503', 'SQLITE_CONSTRAINT_FOREIGNKEY']
};

/** For `catch`: this value if such a constraint refused a row. Throws other errors. */
export const onViolation =
	<T>(constraint: keyof typeof VIOLATIONS, value: T) =>
	(error: unknown): T => {
		const codes = VIOLATIONS[constraint];
		if (error instanceof StoreUnavailable && codes.includes(error.reason)) return value;
		throw error;
	};
