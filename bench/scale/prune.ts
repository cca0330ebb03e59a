import { setTimeout as pause } from 'node:timers/promises';
import { startBuiltServer } from '../../tests/support/process/built-server.ts';
import { openDatabase, type Database } from '../../tests/support/http/database.ts';
import { startPostgres } from '../../tests/support/postgres/cluster.ts';
import { fill, living, type Amounts } from './expired-rows.ts';
import type { Engine } from './pair.ts';
import { atThree, byHand } from './prune-runs.ts';
import { startTraffic } from './prune-traffic.ts';

export interface PruneOptions {
	/** Expired rows of all kinds together. */
	readonly rows: number;
	readonly accounts: number;
	/** Rows of each kind that the tasks must keep. */
	readonly living: number;
	readonly ways: readonly Way[];
	/** Seconds of requests before the tasks start. */
	readonly calm: number;
}

type Way = 'hand' | 'server';

/** The longest that a request may take, in milliseconds. */
const LIMIT = 200;
/** The highest allowed ratio of p99 while the tasks run to p99 before. */
const ALLOWED = 2;
/** Time for V8 to compile the code in use, in milliseconds. */
const WARM_UP = 5000;

/**
 * Measures whether the daily tasks delay requests while they remove a million rows. Fills a database
 * for each way of running them, sends the server the requests of a small site, and runs the tasks:
 * by hand in a second process, and at 03:00 in the server itself.
 */
export const measurePrune = async (
	engines: readonly Engine[],
	options: PruneOptions
): Promise<void> => {
	console.log(
		'| Database | Run by | When | Answers | Median | p99 | Slowest | Over 200 ms | p99 to before |'
	);
	console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
	if (engines.includes('SQLite')) {
		for (const way of options.ways) await measure('SQLite', way, options);
	}
	if (!engines.includes('PostgreSQL')) return;
	// Flushes to the disk, as a production server does.
	const postgres = await startPostgres({ fsync: true });
	try {
		for (const way of options.ways) {
			await measure('PostgreSQL', way, options, await postgres.createDatabase());
		}
	} finally {
		await postgres.stop();
	}
};

const measure = async (
	engine: Engine,
	way: Way,
	options: PruneOptions,
	databaseUrl?: string
): Promise<void> => {
	const env = { TZ: 'UTC' };
	const server = await startBuiltServer(databaseUrl === undefined ? { env } : { env, databaseUrl });
	const database = openDatabase(server.databaseUrl);
	try {
		const began = performance.now();
		await fill(server.databaseUrl, database, amountsOf(options));
		const seconds = ((performance.now() - began) / 1000).toFixed(0);
		console.error(`${engine}: ${options.rows} expired rows written in ${seconds} s`);
		const alive = await living(database);
		const traffic = await startTraffic(server);
		await pause(WARM_UP);
		traffic.take();
		await pause(options.calm * 1000);
		const calm = traffic.take();
		const run = way === 'hand' ? byHand(server) : atThree(server, database, traffic);
		const { output, took } = await run;
		const during = traffic.take();
		await traffic.stop();

		console.error(output.trim());
		const ratio = at(during, 0.99) / at(calm, 0.99);
		const verdict = `${ratio.toFixed(2)}, ${ratio <= ALLOWED ? 'met' : 'not met'}`;
		report([engine, way, 'before'], calm, '');
		report([engine, way, `during, ${(took / 1000).toFixed(0)} s`], during, verdict);
		const { errors } = traffic;
		if (errors.length > 0) fail(`${errors.length} errors: ${errors[0]}`);
		if (during.some((time) => time > LIMIT)) fail(`a request waited more than ${LIMIT} ms`);
		const left = await living(database);
		if (JSON.stringify(left) !== JSON.stringify(alive))
			fail(`of ${JSON.stringify(alive)} are left ${JSON.stringify(left)}`);
		await failForRest(database);
	} finally {
		await database.close();
		await server.stop();
	}
};

const amountsOf = ({ rows, accounts, living }: PruneOptions): Amounts => ({
	throttle: Math.round(rows * 0.2),
	codes: Math.round(rows * 0.15),
	sessions: Math.round(rows * 0.15),
	devices: Math.round(rows * 0.2),
	counts: Math.round(rows * 0.2),
	proofs: Math.round(rows * 0.1),
	accounts,
	living
});

const failForRest = async (database: Database): Promise<void> => {
	const rest = await database.rows(
		`select email from auth_throttle where email like 'expired%'
		union all select email from verification where email like 'expired%'
		union all select user_agent from session where user_agent = 'expired'
		union all select cast(id as text) from device where cast(id as text) like '0%'
		union all select key from site_count where key like 'network expired%'
		union all select id from spent_proof where id like 'expired%'
		union all select email from "user" where email like 'gone%'`
	);
	if (rest.length > 0) fail(`${rest.length} were not removed`);
};

const fail = (line: string): void => {
	console.log(`BROKEN: ${line}`);
	process.exitCode = 1;
};

/** The time that this share of the sorted times does not exceed, as in p99 for 0.99. */
const at = (times: readonly number[], share: number): number =>
	times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN;

const report = (who: readonly string[], times: readonly number[], verdict: string): void => {
	const parts = [0.5, 0.99, 1].map((share) => `${at(times, share).toFixed(1)} ms`);
	const over = times.filter((time) => time > LIMIT).length;
	console.log(`| ${[...who, times.length, ...parts, over, verdict].join(' | ')} |`);
};
