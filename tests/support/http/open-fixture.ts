import { inject } from 'vitest';
import { createTimedDatabase } from '../postgres/time.ts';
import { dropDatabase } from '../postgres/cluster.ts';
import { startBuiltServer, type BuiltServer } from '../process/built-server.ts';
import { openDatabase, type Database } from './database.ts';

export type Engine = 'SQLite' | 'PostgreSQL';

export interface FixtureOptions {
	readonly env?: Readonly<Record<string, string>>;
	readonly processes?: 1 | 2;
	/** A folder with another build than the usual one. */
	readonly folder?: string;
	/**
	 * For tests that count rows or state of a whole database or server: no other test has used it.
	 */
	readonly alone?: boolean;
}

/** Servers on one database. */
export interface OpenFixture {
	readonly servers: readonly BuiltServer[];
	readonly database: Database;
	/** Passes it to the next test file, or stops it if no other file can use it. */
	release(): Promise<void>;
}

interface Held extends OpenFixture {
	readonly servers: BuiltServer[];
}

/**
 * The servers with the usual settings, one database each. A worker runs one test file at a time, so
 * the next file finds them running and warmed up. They end with the worker.
 */
const shared = new Map<Engine, Held>();

/** Opens what a test file needs, or reuses what the previous file left. */
export const openFixture = async (
	engine: Engine,
	options: FixtureOptions
): Promise<OpenFixture> => {
	const { env = {}, processes = 1, folder, alone = false } = options;
	if (alone || folder !== undefined || Object.keys(env).length > 0) {
		const held = await start(engine, options, () => close(engine, held));
		return held;
	}
	const held = shared.get(engine) ?? (await start(engine, options, () => handOver(engine)));
	shared.set(engine, held);
	const { servers } = held;
	while (servers.length < processes) servers.push(await another(servers, options));
	return { ...held, servers: servers.slice(0, processes) };
};

const start = async (
	engine: Engine,
	options: FixtureOptions,
	release: () => Promise<void>
): Promise<Held> => {
	const databaseUrl =
		engine === 'SQLite'
			? undefined
			: await createTimedDatabase(inject('postgresUrl'), inject('postgresPrefix'));
	const servers = [await another([], options, databaseUrl)];
	while (servers.length < (options.processes ?? 1)) servers.push(await another(servers, options));
	return { servers, database: openDatabase(servers[0]?.databaseUrl ?? ''), release };
};

const another = (
	servers: readonly BuiltServer[],
	{ env = {}, folder }: FixtureOptions,
	databaseUrl = servers[0]?.databaseUrl
): Promise<BuiltServer> =>
	startBuiltServer({
		env,
		...(databaseUrl !== undefined && { databaseUrl }),
		...(folder !== undefined && { folder })
	});

const handOver = async (engine: Engine): Promise<void> => {
	const held = shared.get(engine);
	if (held === undefined) return;
	if (held.servers.some(({ isAsStarted }) => !isAsStarted())) {
		shared.delete(engine);
		return close(engine, held);
	}
	for (const server of held.servers) await server.shiftClock(0);
};

const close = async (engine: Engine, { servers, database }: Held): Promise<void> => {
	const [first] = servers;
	await database.close();
	for (const server of servers.toReversed()) await server.stop();
	if (engine === 'PostgreSQL' && first !== undefined) {
		await dropDatabase(inject('postgresUrl'), first.databaseUrl);
	}
};
