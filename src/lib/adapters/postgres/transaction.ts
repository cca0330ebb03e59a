import { setTimeout as pause } from 'node:timers/promises';
import {
	throwIfRollBack,
	rollBackValue,
	storeFault,
	type Database,
	type RollBack,
	type Work
} from '../sql/sql.ts';

/**
 * Deadlock and failed serialisation: the server rolled back one of two transactions so that the
 * other can continue, and asks for a retry.
 */
const RETRYABLE: readonly string[] = ['40P01', '40001'];
const TRIES = 3;

export type Builder = Pick<Database, 'select' | 'insert' | 'update' | 'delete'>;

/** Runs all statements of the work in one transaction. Retries when the server asks for that. */
export const inTransaction = async <T>(
	db: Database,
	work: (tx: Builder) => Work<T | RollBack<T>>,
	onAnswer: () => void
): Promise<T> => {
	for (let tries = 1; ; tries += 1) {
		try {
			return await tryTransaction(db, work, onAnswer);
		} catch (error) {
			if (tries === TRIES || !RETRYABLE.includes(storeFault(error).reason)) throw error;
			// Long enough for the other transaction to finish. Otherwise they collide again.
			await pause(20 * tries);
		}
	}
};

const tryTransaction = <T>(
	db: Database,
	work: (tx: Builder) => Work<T | RollBack<T>>,
	onAnswer: () => void
): Promise<T> => {
	const lost = Promise.withResolvers<never>();
	/**
	 * The driver sends a rollback when the callback rejects. On a lost connection that throws outside
	 * of any promise, and the connection never works again (porsager/postgres#1208). So the callback
	 * then never ends. The server has rolled back by itself.
	 */
	const unlessLost = (error: unknown): Promise<never> => {
		if (!isLost(error)) return Promise.reject(error);
		lost.reject(error);
		return new Promise(() => undefined);
	};
	// Without options, because the driver would send them as a statement of its own, with the same
	// fault. Every connection has the isolation level as a setting (connect.ts).
	const done = db.transaction(async (tx) => {
		onAnswer();
		const statements = work(tx);
		let step = statements.next([]);
		while (step.done !== true) {
			// Prepared statements save a round trip each from the second run on.
			const rows = await step.value.prepare('step').execute().finally(onAnswer).catch(unlessLost);
			step = statements.next(rows);
		}
		return throwIfRollBack(step.value);
	});
	return Promise.race([done, lost.promise]).catch(rollBackValue);
};

/** Codes of the driver and of the operating system: CONNECTION_CLOSED, ECONNRESET. */
const CONNECTION_FAULT = /^(?:CONNECTION_|E[A-Z]+$)/;

/** Whether the connection ended, or the server is about to close it. */
const isLost = (error: unknown): boolean => {
	for (let at = error; at instanceof Error; at = at.cause) {
		if ('severity' in at) return at.severity === 'FATAL' || at.severity === 'PANIC';
		if ('code' in at && typeof at.code === 'string') return CONNECTION_FAULT.test(at.code);
	}
	return false;
};
