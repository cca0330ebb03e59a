import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getTableName, sql as raw, type SQL } from 'drizzle-orm';
import { memoryStores, memoryStorage } from '../memory/stores.ts';
import { memoryTables, type MemoryTables } from '../memory/tables.ts';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import type { Sql, Tables } from '#lib/adapters/sql/sql.ts';
import { sqlStores } from '#lib/adapters/sql/stores.ts';
import { openSqlite } from '#lib/adapters/sqlite/open.ts';
import { systemClock } from '#lib/adapters/system/system.ts';
import type { ChangeFeed } from '#lib/domain/sessions/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import type { Clock } from '#lib/domain/time.ts';
import { createDatabase, dropDatabase, onPostgres } from '../postgres/cluster.ts';
import { inTurn } from './in-turn.ts';

type Counted = keyof MemoryTables;

/** The tables of the databases, by the names of those in memory. */
const namedAsInMemory = (t: Tables) =>
	({
		users: t.user,
		userData: t.userData,
		consentRecords: t.consentRecord,
		events: t.event,
		unsubscribeLinks: t.unsubscribeLink,
		sessions: t.session,
		devices: t.device,
		challenges: t.verification,
		throttle: t.authThrottle,
		siteCounts: t.siteCount,
		spentProofs: t.spentProof,
		outboxRows: t.emailOutbox,
		emailUndos: t.emailUndo,
		purchases: t.purchase,
		taskRuns: t.taskRun
	}) satisfies Record<Counted, unknown>;

/** An empty storage, with test helpers besides the ports. */
export interface Backing {
	readonly stores: Stores;
	/** The same storage as other instances see it; racers are spread over them. */
	readonly instances: readonly Stores[];
	/** The change feed of each instance. */
	readonly feeds: readonly ClockedFeed[];
	/** Closes everything and opens it again, as a restart does. */
	reopen(): Promise<Stores>;
	rows(of: Counted): Promise<number>;
	/** All rows of a table. */
	dump(of: Counted): Promise<readonly object[]>;
	/** Removes the optional data of the accounts. */
	forgetData(): Promise<void>;
	/** Marks accounts as deleted and does nothing else, which no port does. */
	markDeleted(at: Date): Promise<void>;
	clear(): Promise<void>;
	close(): Promise<void>;
}

/** A feed with the clock of its instance. */
export interface ClockedFeed {
	readonly changes: ChangeFeed;
	readonly clock: Clock;
}

export type OpenBacking = () => Promise<Backing>;

export const memoryBacking: OpenBacking = async () => {
	const tables = memoryTables();
	const stores = memoryStores(tables);
	const clock = systemClock();
	return {
		stores,
		instances: [stores],
		feeds: [{ changes: memoryStorage(stores).changes(), clock }],
		// Memory does not survive a restart.
		reopen: async () => memoryStores(),
		rows: async (of) => tables[of].size,
		dump: async (of) => [...tables[of].values()],
		forgetData: async () => tables.userData.clear(),
		markDeleted: async (at) => {
			for (const [id, row] of tables.users) tables.users.set(id, { ...row, deletedAt: at });
		},
		clear: async () => Object.values(tables).forEach((rows: Map<string, unknown>) => rows.clear()),
		close: async () => {}
	};
};

export interface SqlBacking extends Backing {
	/** The open databases behind `instances`. */
	readonly databases: readonly Sql[];
}

const sqlBacking = async (
	open: () => Promise<Sql>,
	remove: () => Promise<void>,
	empty: (database: Sql) => Promise<unknown>
): Promise<SqlBacking> => {
	let databases = [await open(), await open()];
	let instances = databases.map(sqlStores);
	let feeds = databases.map(feedOf);
	const first = <T>(list: readonly T[]): T => list[0] as T;
	const dump: Backing['dump'] = async (of) => {
		const { db, tables } = first(databases);
		return db.select().from(namedAsInMemory(tables)[of]);
	};
	const closeAll = async (): Promise<void> => {
		for (const database of databases) await database.close();
	};
	return {
		get databases() {
			return databases;
		},
		get stores() {
			return first(instances);
		},
		get instances() {
			return instances;
		},
		get feeds() {
			return feeds;
		},
		reopen: async () => {
			await closeAll();
			databases = [await open(), await open()];
			instances = databases.map(sqlStores);
			feeds = databases.map(feedOf);
			return first(instances);
		},
		rows: async (of) => (await dump(of)).length,
		dump,
		forgetData: async () => {
			const { db, tables } = first(databases);
			await db.delete(tables.userData);
		},
		markDeleted: async (at) => {
			const { db, tables } = first(databases);
			await db.update(tables.user).set({ deletedAt: at });
		},
		clear: async () => {
			await empty(first(databases));
			// Each case makes its own stores. Stryker then knows which cases run the code that makes them.
			instances = databases.map(sqlStores);
		},
		close: async () => {
			await closeAll();
			await remove();
		}
	};
};

const feedOf = (database: Sql): ClockedFeed => ({
	changes: database.changes(),
	clock: database.clock ?? systemClock()
});

/** A table comes after those that it references. */
const emptying = (tables: Tables): readonly SQL[] =>
	Object.values(tables)
		.reverse()
		.map((table) => raw.raw(`delete from "${getTableName(table)}"`));

/** What `openSqlite` hides behind the types of PostgreSQL. */
interface SqliteDatabase {
	run(statement: SQL): unknown;
}

export const sqliteBacking = async (): Promise<SqlBacking> => {
	const folder = await mkdtemp(join(tmpdir(), 'postern-sqlite-'));
	return sqlBacking(
		async () => {
			const database = await openSqlite(`file:${join(folder, 'postern.db')}`);
			// No test cuts the power, and waiting for the disk takes most of the time.
			(database.db as unknown as SqliteDatabase).run(raw`pragma synchronous = off`);
			return database;
		},
		() => rm(folder, { recursive: true, force: true }),
		async ({ db, tables }) => {
			for (const statement of emptying(tables)) (db as unknown as SqliteDatabase).run(statement);
		}
	);
};

export const postgresBacking = async (server: string): Promise<SqlBacking> => {
	const url = await createDatabase(server);
	// A deadlock that is ended within the time of a request would only look slow.
	const name = new URL(url).pathname.slice(1);
	await onPostgres(url, `alter database "${name}" set deadlock_timeout = '10s'`);
	return sqlBacking(
		async () => inTurn(await openPostgres(url)),
		() => dropDatabase(server, url),
		// All in one message.
		({ db, tables }) => db.execute(raw.join([...emptying(tables)], raw`;`))
	);
};
