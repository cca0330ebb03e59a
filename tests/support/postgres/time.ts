import { createDatabase, onPostgres } from './cluster.ts';

/** The schema that contains it, which is not the product’s. */
export const TIME_SCHEMA = 'test_time';

/**
 * Creates an empty database whose time a test can move. Servers on PostgreSQL use the database’s
 * time, so the test replaces the functions that return it: PostgreSQL looks in this schema first.
 */
export const createTimedDatabase = async (server: string, prefix?: string): Promise<string> => {
	const url = await createDatabase(server, prefix);
	const name = new URL(url).pathname.slice(1);
	await onPostgres(
		url,
		`create schema ${TIME_SCHEMA}`,
		`create table ${TIME_SCHEMA}.moved (by interval not null)`,
		`insert into ${TIME_SCHEMA}.moved values ('0')`,
		`create function ${TIME_SCHEMA}.clock_timestamp() returns timestamptz language sql volatile
			as 'select pg_catalog.clock_timestamp() + (select by from ${TIME_SCHEMA}.moved)'`,
		`alter database "${name}" set search_path = public, ${TIME_SCHEMA}, pg_catalog`
	);
	return url;
};

/** Sets the database's time to this many seconds from the real one. */
export const moveDatabaseTime = async (url: string, seconds: number): Promise<void> =>
	void (await onPostgres(
		url,
		`update ${TIME_SCHEMA}.moved set by = make_interval(secs => ${seconds})`
	));
