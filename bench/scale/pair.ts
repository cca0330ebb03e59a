import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlStorage } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import type { Storage } from '#lib/domain/stores.ts';
import { startPostgres } from '../../tests/support/postgres/cluster.ts';
import { countRows, sessionRows, throttleRows } from './rows.ts';
import { writeRows } from './write-rows.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

/** Two databases on one engine that differ only in size. */
export interface Pair {
	readonly engine: Engine;
	readonly small: Sized;
	readonly large: Sized;
	/** Removes both. */
	stop(): Promise<void>;
}

export interface Sized {
	readonly databaseUrl: string;
	/** The number of sessions, devices, addresses, and counts of networks. */
	readonly rows: number;
}

/** Opens the storage adapters of the product as the server does. */
export const openStorage = async (url: string): Promise<Storage> =>
	sqlStorage(await (url.startsWith('file:') ? openSqlite(url) : openPostgres(url)));

/** Creates and fills both databases on the same disk or server. */
export const makePair = async (
	engine: Engine,
	sizes: { readonly small: number; readonly large: number }
): Promise<Pair> => {
	const place = await (engine === 'SQLite' ? sqlitePlace() : postgresPlace());
	const make = async (rows: number): Promise<Sized> => {
		const began = performance.now();
		const databaseUrl = await place.newDatabase();
		// Opening a database migrates it.
		await (await openStorage(databaseUrl)).close();
		const tables = [...sessionRows(rows), throttleRows(rows), countRows(rows)];
		await writeRows(databaseUrl, tables);
		const seconds = ((performance.now() - began) / 1000).toFixed(0);
		console.error(`${engine}: ${rows} rows of each table written in ${seconds} s`);
		return { databaseUrl, rows };
	};
	try {
		const [small, large] = [await make(sizes.small), await make(sizes.large)];
		return { engine, small, large, stop: place.stop };
	} catch (error) {
		await place.stop();
		throw error;
	}
};

interface Place {
	newDatabase(): Promise<string>;
	stop(): Promise<void>;
}

const sqlitePlace = async (): Promise<Place> => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-scale-'));
	let made = 0;
	return {
		newDatabase: async () => `file:${join(folder, `${(made += 1)}.db`)}`,
		stop: async () => rmSync(folder, { recursive: true, force: true })
	};
};

const postgresPlace = async (): Promise<Place> => {
	// Flushes to the disk, as a production server does.
	const server = await startPostgres({ fsync: true });
	return { newDatabase: server.createDatabase, stop: server.stop };
};
