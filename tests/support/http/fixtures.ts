import { afterAll, beforeAll, describe, test } from 'vitest';
import type { BuiltServer } from '../process/built-server.ts';
import { dropIdleConnections } from './agent.ts';
import { rounds } from './client.ts';
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

export const ENGINES: readonly Engine[] = ['SQLite', 'PostgreSQL'];

/**
 * For cases that do not depend on the database: SQLite, and in the long form PostgreSQL too. The
 * contracts test every store on both.
 */
export const ENGINES_OF_FORM = ENGINES.slice(0, rounds(1, 2));

/** Declares the cases once for each database. */
export const onBothDatabases = (
	cases: (fixture: Fixture) => void,
	options: FixtureOptions = {}
): void => onEngines(ENGINES, cases, options);

/** For cases that send one request at a time: only the long form runs them on both databases. */
export const onBothInLongForm = (
	cases: (fixture: Fixture) => void,
	options: FixtureOptions = {}
): void => onEngines(ENGINES_OF_FORM, cases, options);

/** Declares a case for both databases: in the short form, for `only` alone. */
export const testOn = (
	{ engine }: Fixture,
	only: Engine
): ((title: string, run: () => Promise<void>) => void) =>
	ENGINES_OF_FORM.length === 2 || engine === only ? test : () => undefined;

const onEngines = (
	engines: readonly Engine[],
	cases: (fixture: Fixture) => void,
	options: FixtureOptions
): void => {
	describe.each<Engine>([...engines])('on %s', (engine) => {
		let opened: OpenFixture | undefined;
		beforeAll(async () => {
			// Importing a file takes seconds on a busy machine, and an earlier file used the same server.
			dropIdleConnections();
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
