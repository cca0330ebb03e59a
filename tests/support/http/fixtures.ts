import { afterAll, beforeAll, describe, inject } from 'vitest';
import {
	startBuiltServer,
	type BuiltServer,
	type BuiltServerOptions
} from '../process/built-server.ts';
import { createTimedDatabase } from '../postgres/time.ts';
import { openDatabase, type Database } from './database.ts';
import { dropDatabase } from '../postgres/cluster.ts';

/** A running server with the database it uses. */
export interface Fixture {
	readonly engine: Engine;
	readonly server: BuiltServer;
	/** A second process on the same database, where `processes` is 2. */
	readonly other: BuiltServer;
	readonly database: Database;
}

export type Engine = 'SQLite' | 'PostgreSQL';

export interface FixtureOptions {
	readonly env?: Readonly<Record<string, string>>;
	readonly processes?: 1 | 2;
	/** A folder with another build than the usual one. */
	readonly folder?: string;
}

/** For what does not depend on the storage: once, on SQLite. */
export const onOneServer = (
	cases: (fixture: Fixture) => void,
	env: Readonly<Record<string, string>> = {},
	folder?: string
): void => onEngines(['SQLite'], cases, { env, ...(folder !== undefined && { folder }) });

/** Declares the cases once for each database; a server per database serves all of them. */
export const onBothDatabases = (
	cases: (fixture: Fixture) => void,
	options: FixtureOptions = {}
): void => onEngines(['SQLite', 'PostgreSQL'], cases, options);

const onEngines = (
	engines: readonly Engine[],
	cases: (fixture: Fixture) => void,
	{ env = {}, processes = 1, folder }: FixtureOptions
): void => {
	describe.each<Engine>([...engines])('on %s', (engine) => {
		const servers: BuiltServer[] = [];
		let database: Database | undefined;
		let created: string | undefined;

		beforeAll(async () => {
			if (engine === 'PostgreSQL') created = await createTimedDatabase(inject('postgresUrl'));
			for (let number = 0; number < processes; number += 1) {
				const databaseUrl = servers[0]?.databaseUrl ?? created;
				const options: BuiltServerOptions = {
					env,
					...(databaseUrl !== undefined && { databaseUrl }),
					...(folder !== undefined && { folder })
				};
				servers.push(await startBuiltServer(options));
			}
			database = openDatabase(present(servers[0]).databaseUrl);
		});

		afterAll(async () => {
			await database?.close();
			for (const server of servers.toReversed()) await server.stop();
			if (created !== undefined) await dropDatabase(inject('postgresUrl'), created);
		});

		cases({
			engine,
			get server() {
				return present(servers[0]);
			},
			get other() {
				return present(servers[1]);
			},
			get database() {
				return present(database);
			}
		});
	});
};

export const present = <T>(value: T | undefined | null): T => {
	if (value === undefined || value === null) throw new Error('there is none');
	return value;
};
