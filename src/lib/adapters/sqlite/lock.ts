import { setTimeout as pause } from 'node:timers/promises';
import { storeFault } from '../sql/sql.ts';

/** How long, in milliseconds, a statement waits for another process to let go of the database. */
const PATIENCE = 4000;
/** The longest pause between two tries, in milliseconds. */
const MAX_PAUSE = 25;

/** Another process holds the lock, or has just died and left the log to be read again. */
export const isBusy = (error: unknown): boolean =>
	storeFault(error).reason.startsWith('SQLITE_BUSY');

/**
 * Runs a statement, again and again while another process holds the lock. The driver could wait by
 * itself, but it would do that standing still, and every other request with it.
 */
export const whenUnlocked = async <T>(
	statement: () => PromiseLike<T>,
	patience = PATIENCE
): Promise<T> => {
	const until = performance.now() + patience;
	for (let tries = 0; ; tries += 1) {
		try {
			return await statement();
		} catch (error) {
			if (!isBusy(error) || performance.now() > until) throw error;
			await pause(Math.min(2 ** tries, MAX_PAUSE));
		}
	}
};
