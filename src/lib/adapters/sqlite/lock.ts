import type { Database } from 'better-sqlite3';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { storeFault } from '../sql/sql.ts';

/** How long a statement waits for another process to release its lock. */
const LOCK_TIMEOUT_MS = 4000;
const MAX_PAUSE_MS = 25;

/** Another process holds the lock, or has just died and left a log to be read again. */
const isBusy = (error: unknown): boolean => storeFault(error).reason.startsWith('SQLITE_BUSY');

/**
 * Runs a statement and retries while another process holds the lock. The driver could wait by
 * itself, but it would block the event loop and every other request.
 */
export const whenUnlocked = async <T>(
	statement: () => PromiseLike<T>,
	timeout = LOCK_TIMEOUT_MS
): Promise<T> => {
	const until = performance.now() + timeout;
	for (let tries = 0; ; tries += 1) {
		try {
			return await statement();
		} catch (error) {
			if (!isBusy(error) || performance.now() > until) throw error;
			await pause(Math.min(2 ** tries, MAX_PAUSE_MS));
		}
	}
};

/** Runs a write. The promise settles once the write is on disk. */
type Commit = <T>(write: () => T) => Promise<T>;

interface Waiting extends PromiseWithResolvers<unknown> {
	readonly write: () => unknown;
}

/**
 * Commits all writes of one turn of the event loop together. A commit waits for the disk and
 * blocks every request of this process, so many writes share one. Each write is atomic on its
 * own: when it throws, it is rolled back, and the others stay. Each keeps the async context of its
 * request, which the commit would not have.
 */
export const groupCommit = (client: Database): Commit => {
	let waiting: Waiting[] = [];
	// Inside another transaction this is a savepoint.
	const alone = client.transaction((write: () => unknown) => write());
	const all = client.transaction((group: readonly Waiting[]) =>
		group.map(({ write, resolve, reject }) => {
			try {
				const value = alone(write);
				return () => resolve(value);
			} catch (error) {
				// A full disk ends the whole transaction, so the earlier writes are lost too.
				if (!client.inTransaction) throw error;
				return () => reject(error);
			}
		})
	);
	const commit = (): void => {
		const group = waiting;
		waiting = [];
		try {
			// IMMEDIATE takes the write lock at once. A reading transaction that tries to write later
			// fails at once if another process wrote meanwhile, whatever the timeout.
			for (const settle of all.immediate(group)) settle();
		} catch (error) {
			for (const { reject } of group) reject(error);
		}
	};
	return <T>(write: () => T) => {
		if (waiting.length === 0) setImmediate(commit);
		const settling = Promise.withResolvers<unknown>();
		waiting.push({ ...settling, write: AsyncLocalStorage.bind(write) });
		return settling.promise as Promise<T>;
	};
};
