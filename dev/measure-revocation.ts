import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startBuiltServer, type BuiltServer } from '../tests/support/process/built-server.ts';
import { bearer, call, ME, OUT, signIn, whoIsStored } from '../tests/support/http/client.ts';
import { CACHE, cacheIn, liveJar } from '../tests/support/http/cookie-jar.ts';
import { startPostgres } from '../tests/support/postgres/cluster.ts';

// Measures how long a process accepts a session that another process on the same database has
// signed out. It replays the bearer token, or the whole cookie jar with every cache in it.
// Requests follow each other without a pause, from before the sign-out until one is refused.
// Exits with 1 when that ever takes longer than a second.

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '200' },
		/** `sqlite`, `postgres` or both. */
		on: { type: 'string', default: 'both' }
	}
});
const rounds = Number(values.rounds);

/** In milliseconds. */
const BOUND = 1000;
/**
 * The sign-out is delayed by a random time up to this, in milliseconds, to meet the other
 * process's timers at any moment.
 */
const SPREAD = 600;

type Way = 'cookies' | 'bearer';

/** Milliseconds from the sign-out response to the last request that was still accepted. */
const round = async (
	server: BuiltServer,
	other: BuiltServer,
	number: number,
	way: Way
): Promise<number> => {
	const person = await signIn(server, `${way}-${number}@example.com`);
	let cookie = await liveJar(other, person);
	let believedAt = 0;
	const replay = async (): Promise<void> => {
		for (;;) {
			const sentAt = performance.now();
			const held = way === 'bearer' ? bearer(person.token) : { cookie };
			const answer = await call(other, ME, { headers: held });
			if (answer.text === 'null') return;
			believedAt = sentAt;
			const cache = cacheIn(answer);
			if (cache !== null) cookie = `${person.cookie}; ${CACHE}=${cache}`;
		}
	};
	const refused = replay();
	await pause(Math.random() * SPREAD);
	const headers = bearer(person.token);
	const { status } = await call(server, OUT, { json: {}, headers });
	const acknowledged = performance.now();
	if (status !== 200) throw new Error(`not signed out: ${status}`);
	if ((await whoIsStored(other, headers)) !== null) throw new Error('it outlived its session');
	await refused;
	return Math.max(0, believedAt - acknowledged);
};

const measure = async (engine: string, options: { databaseUrl?: string }): Promise<void> => {
	const server = await startBuiltServer(options);
	const other = await startBuiltServer({ databaseUrl: server.databaseUrl });
	try {
		for (const way of ['cookies', 'bearer'] as const) {
			const times: number[] = [];
			for (let number = 0; number < rounds; number += 1) {
				times.push(await round(server, other, number, way));
			}
			report(engine, way, times);
		}
	} finally {
		await other.stop();
		await server.stop();
	}
};

const report = (engine: string, way: Way, times: number[]): void => {
	times.sort((one, another) => one - another);
	const at = (share: number): string =>
		`${(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN).toFixed(1)} ms`;
	console.log(`| ${[engine, way, rounds, at(0.5), at(0.99), at(1)].join(' | ')} |`);
	if (times.some((time) => time > BOUND)) process.exitCode = 1;
};

console.log('| Database | Replayed | Rounds | Median | p99 | Worst |');
console.log('| --- | --- | --- | --- | --- | --- |');
if (values.on !== 'postgres') await measure('SQLite', {});
if (values.on !== 'sqlite') {
	const postgres = await startPostgres();
	try {
		await measure('PostgreSQL', { databaseUrl: await postgres.createDatabase() });
	} finally {
		await postgres.stop();
	}
}
process.exit();
