import { setTimeout as pause } from 'node:timers/promises';
import { storeFault, type Database, type Transaction, type Work } from '../sql/sql.ts';

/**
 * Deadlock, and a failed serialisation: the server undid one of two transactions so that the other
 * can go on, and says to try again. Two accounts that swap their addresses at once come to this.
 */
const UNDONE: readonly string[] = ['40P01', '40001'];
const TRIES = 3;

/** Runs all statements of the work in one transaction, again when the server asks for that. */
export const inTransaction = async <T>(
	db: Database,
	work: (tx: Transaction) => Work<T>
): Promise<T> => {
	for (let tries = 1; ; tries += 1) {
		try {
			return await tryTransaction(db, work);
		} catch (error) {
			if (tries === TRIES || !UNDONE.includes(storeFault(error).reason)) throw error;
			// Long enough for the other one to finish, or the two meet again.
			await pause(20 * tries);
		}
	}
};

const tryTransaction = <T>(db: Database, work: (tx: Transaction) => Work<T>): Promise<T> =>
	db.transaction(
		async (tx) => {
			const statements = work(tx);
			let step = statements.next([]);
			while (step.done !== true) {
				// Prepared, which saves a round trip each from the second time on.
				step = statements.next(await step.value.prepare('step').execute());
			}
			return step.value;
		},
		{ isolationLevel: 'read committed' }
	);
