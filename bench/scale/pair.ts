import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { sqlStorage } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import type { Storage } from '#lib/domain/index.ts';
import { startPostgres } from '../../tests/support/postgres/cluster.ts';
import { sessionRows, throttleRows } from './rows.ts';
import { writeRows } from './write-rows.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

/** Two databases on one engine, alike but for their size. */
export interface Pair {
	readonly engine: Engine;
	readonly small: Sized;
	readonly large: Sized;
	/** Removes both. */
	stop(): Promise<void>;
}

export interface Sized {
	readonly databaseUrl: string;
	/** Sessions, and addresses under watch. */
	readonly rows: number;
}

/** The port adapters of the product, as the server opens them. */
export const openStorage = async (url: string): Promise<Storage> =>
	sqlStorage(await (url.startsWith('file:') ? openSqlite(url) : openPostgres(url)));

/** Makes and fills both databases, side by side on the same disk or server. */
export const makePair = async (
	engine: Engine,
	sizes: { readonly small: number; readonly large: number }
): Promise<Pair> => {
	const place = await (engine === 'SQLite' ? sqlitePlace() : postgresPlace());
	const make = async (rows: number): Promise<Sized> => {
		const began = performance.now();
		const databaseUrl = await place.newDatabase();
		// Opening it migrates it.
		await (await openStorage(databaseUrl)).close();
		await writeRows(databaseUrl, [...sessionRows(rows), throttleRows(rows)]);
		const seconds = ((performance.now() - began) / 1000).toFixed(0);
		console.error(`${engine}: ${rows} sessions and addresses written in ${seconds} s`);
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
	// Writes through to the disk, as a real one does.
	const server = await startPostgres({ fsync: true });
	return { newDatabase: server.createDatabase, stop: server.stop };
};
