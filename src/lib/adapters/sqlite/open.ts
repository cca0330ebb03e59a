import { closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type BetterSqlite from 'better-sqlite3';
import { sql } from 'drizzle-orm';
import {
	storeFault,
	type Database,
	type Sql,
	type Statement,
	type Tables,
	type Work
} from '../sql/sql.ts';
import { migrateSqlite } from './migrate.ts';
import { tables } from './schema.ts';

/** A lock held elsewhere stops this whole process while it is waited for, so that is not long. */
const BUSY_TIMEOUT_MS = 2000;

/** Opens (or creates) the database of a URL like `file:./data/postern.db`, migrated. */
export const openSqlite = async (url: string): Promise<Sql> => {
	const path = url.startsWith('file://') ? fileURLToPath(url) : url.replace(/^file:/, '');
	createPrivately(path);
	// Only here, so that an installation on PostgreSQL loads no native code.
	const { default: Client } = await import('better-sqlite3');
	const { drizzle } = await import('drizzle-orm/better-sqlite3');
	const client = new Client(path, { timeout: BUSY_TIMEOUT_MS });
	try {
		await useWal(client);
		// Acknowledged means durable, also when the power goes.
		client.pragma('synchronous = FULL');
		migrateSqlite(client, BUSY_TIMEOUT_MS);
		client.pragma('foreign_keys = ON');
	} catch (error) {
		client.close();
		throw error;
	}
	// The one double cast of the code base. sql/parity.ts proves the rows equal, the contract
	// suites the behaviour.
	const twin = { db: drizzle(client), tables } as unknown as { db: Database; tables: Tables };

	const ask = async <T>(statement: () => PromiseLike<T>): Promise<T> => {
		try {
			return await statement();
		} catch (error) {
			throw storeFault(error);
		}
	};
	return {
		...twin,
		skipLocked: sql.empty(),
		ask,
		// IMMEDIATE takes the write lock at once: a reading transaction that wants to write later
		// fails at once when somebody else wrote, whatever the timeout.
		atomic: (work) => ask(async () => client.transaction(() => drive(work(twin.db))).immediate()),
		close: async () => {
			client.close();
		}
	};
};

/** Without a pause, so that no other request's statement can get into the transaction. */
const drive = <T>(work: Work<T>): T => {
	let step = work.next([]);
	while (step.done !== true) step = work.next((step.value as SyncStatement).all());
	return step.value;
};

interface SyncStatement extends Statement<unknown> {
	all(): unknown[];
}

/** Nobody but the owner reads it; SQLite gives its side files the mode of the main one. */
const createPrivately = (path: string): void => {
	mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
	closeSync(openSync(path, 'a', 0o600));
};

/** Switching wants the file to itself and does not wait for it, unlike everything after it. */
const useWal = async (client: BetterSqlite.Database): Promise<void> => {
	for (let tries = 1; ; tries += 1) {
		try {
			client.pragma('journal_mode = WAL');
			return;
		} catch (error) {
			if (tries === 40 || storeFault(error).reason !== 'SQLITE_BUSY') throw error;
			await pause(20 + 2 * tries);
		}
	}
};
