import { afterAll, beforeAll, describe } from 'vitest';
import type { BuiltServer } from '../process/built-server.ts';
import type { Database } from './database.ts';
import { openFixture, type Engine, type FixtureOptions, type OpenFixture } from './open-fixture.ts';

/** A running server with the database it uses. */
export interface Fixture {
	readonly engine: Engine;
	readonly server: BuiltServer;
	/** A second process on the same database, where `processes` is 2. */
	readonly other: BuiltServer;
	readonly database: Database;
}

/** For tests that do not depend on the storage: once, on SQLite. */
export const onOneServer = (
	cases: (fixture: Fixture) => void,
	env: Readonly<Record<string, string>> = {},
	options: Pick<FixtureOptions, 'folder' | 'alone'> = {}
): void => onEngines(['SQLite'], cases, { env, ...options });

/** Declares the cases once for each database. */
export const onBothDatabases = (
	cases: (fixture: Fixture) => void,
	options: FixtureOptions = {}
): void => onEngines(['SQLite', 'PostgreSQL'], cases, options);

const onEngines = (
	engines: readonly Engine[],
	cases: (fixture: Fixture) => void,
	options: FixtureOptions
): void => {
	describe.each<Engine>([...engines])('on %s', (engine) => {
		let opened: OpenFixture | undefined;
		beforeAll(async () => {
			opened = await openFixture(engine, options);
		});
		afterAll(() => opened?.release());

		cases({
			engine,
			get server() {
				return present(opened?.servers[0]);
			},
			get other() {
				return present(opened?.servers[1]);
			},
			get database() {
				return present(opened).database;
			}
		});
	});
};

export const present = <T>(value: T | undefined | null): T => {
	if (value === undefined || value === null) throw new Error('there is none');
	return value;
};
