import type { Database } from 'better-sqlite3';
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

/** Runs what writes; the promise is settled once that is on the disk. */
export type Commit = <T>(write: () => T) => Promise<T>;

interface Waiting {
	readonly write: () => unknown;
	readonly written: (value: unknown) => void;
	readonly failed: (error: unknown) => void;
}

/**
 * Commits what is to be written in one turn of the event loop together. A commit waits for the disk,
 * and every request of this process with it: so as many as possible wait for the same one. What one
 * of them writes is there wholly or, where it throws, not at all, whatever becomes of the others.
 */
export const groupCommit = (client: Database): Commit => {
	let waiting: Waiting[] = [];
	// Inside another transaction this is a savepoint.
	const alone = client.transaction((write: () => unknown) => write());
	const all = client.transaction((group: readonly Waiting[]) =>
		group.map(({ write, written, failed }) => {
			try {
				const value = alone(write);
				return () => written(value);
			} catch (error) {
				// A full disk ends the whole transaction, and what was written before is gone too.
				if (!client.inTransaction) throw error;
				return () => failed(error);
			}
		})
	);
	const commit = (): void => {
		const group = waiting;
		waiting = [];
		try {
			// IMMEDIATE takes the write lock at once: a reading transaction that wants to write later
			// fails at once when somebody else wrote, whatever the timeout.
			for (const tell of all.immediate(group)) tell();
		} catch (error) {
			for (const { failed } of group) failed(error);
		}
	};
	return <T>(write: () => T) =>
		new Promise<T>((resolve, reject) => {
			if (waiting.length === 0) setImmediate(commit);
			waiting.push({ write, written: (value) => resolve(value as T), failed: reject });
		});
};
