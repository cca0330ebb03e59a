import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { startBuiltServer, TEST_SECRET, type BuiltServer } from '../tests/support/built-server.ts';
import { fill, living, type Amounts } from '../tests/support/expired-rows.ts';
import { bearer, call, ME, sendCode, signIn, verifyCode } from '../tests/support/http-client.ts';
import { openDatabase, type Database } from '../tests/support/http-database.ts';
import { startPostgres } from '../tests/support/postgres-server.ts';

// Whether anybody waits while the daily tasks remove a million rows. Fills a database of its own,
// sends the built server requests as a small site gets them, and runs the tasks beside it: by hand
// in a second process, and at three o'clock in the server itself.

const { values } = parseArgs({
	options: {
		rows: { type: 'string', default: '1000000' },
		accounts: { type: 'string', default: '100000' },
		/** `sqlite`, `postgres` or both. */
		on: { type: 'string', default: 'both' },
		/** `hand`, `server` or both. */
		by: { type: 'string', default: 'both' },
		/** Seconds of requests before anything is removed. */
		calm: { type: 'string', default: '15' }
	}
});
const rows = Number(values.rows);
const amounts: Amounts = {
	throttle: Math.round(rows * 0.4),
	codes: Math.round(rows * 0.35),
	sessions: Math.round(rows * 0.25),
	accounts: Number(values.accounts),
	living: 5000
};

/** No request may wait longer, in milliseconds. */
const LIMIT = 200;
/** Between two requests, in milliseconds. */
const PACE = 20;
/** A connection for each, as visitors have. */
const fresh = { connection: 'close' };
/** The server looks at its clock at least this often, in milliseconds. */
const LOOKS_EVERY = 30_000;

interface Traffic {
	/** The times of all answers since the last call, in milliseconds, shortest first. */
	take(): readonly number[];
	readonly errors: readonly string[];
	stop(): Promise<void>;
}

/** Six in ten ask who they are, two for a code; one in ten signs in, which is two requests. */
const startTraffic = async (server: BuiltServer): Promise<Traffic> => {
	const { token } = await signIn(server, 'visitor@example.com');
	const errors: string[] = [];
	const underWay = new Set<Promise<void>>();
	let times: number[] = [];
	let number = 0;
	const timed = async <T extends { readonly status: number }>(
		ask: () => Promise<T>
	): Promise<T> => {
		const began = performance.now();
		const answer = await ask();
		times.push(performance.now() - began);
		if (answer.status !== 200) errors.push(String(answer.status));
		return answer;
	};
	const ask = async (turn: number): Promise<void> => {
		const email = `visitor-${turn}@example.com`;
		if (turn % 10 < 6)
			await timed(() => call(server, ME, { headers: { ...bearer(token), ...fresh } }));
		else if (turn % 10 < 8) await timed(() => sendCode(server, email, fresh));
		else if (turn % 10 === 8) {
			await timed(() => sendCode(server, email, fresh));
			const code = await server.codeFor(email);
			await timed(() => verifyCode(server, email, code, fresh));
		}
	};
	const timer = setInterval(() => {
		const asked = ask((number += 1))
			.catch((error: unknown) => void errors.push(String(error)))
			.finally(() => underWay.delete(asked));
		underWay.add(asked);
	}, PACE);
	return {
		take: () => {
			const taken = times.toSorted((one, other) => one - other);
			times = [];
			return taken;
		},
		errors,
		stop: async () => {
			clearInterval(timer);
			await Promise.all(underWay);
		}
	};
};

const pause = (milliseconds: number): Promise<void> =>
	new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs both tasks as a person does, beside the server. What they said, and how long it took. */
const byHand = async ({ databaseUrl, address }: BuiltServer): Promise<Run> => {
	const began = performance.now();
	let said = '';
	for (const task of ['auth:prune-throttle', 'account:purge']) {
		const { stdout } = await promisify(execFile)('npm', ['run', '--silent', 'task', '--', task], {
			env: {
				PATH: process.env['PATH'],
				AUTH_SECRET: TEST_SECRET,
				AUTH_URL: address,
				DATABASE_URL: databaseUrl
			}
		});
		said += stdout;
	}
	return { said, took: performance.now() - began };
};

interface Run {
	readonly said: string;
	readonly took: number;
}

/** Sets the server's clock to three at night, and waits until it has done what it then does. */
const atThree = async (server: BuiltServer, database: Database, traffic: Traffic): Promise<Run> => {
	const night = new Date();
	night.setUTCHours(27, 0, 0, 0);
	await server.shiftClock((night.getTime() - Date.now()) / 1000);
	const claims = async (): Promise<number> =>
		(await database.rows('select * from task_run')).length;
	const patience = performance.now() + LOOKS_EVERY + 5000;
	while ((await claims()) === 0) {
		if (performance.now() > patience) throw new Error('three o’clock passed without a task');
		await pause(50);
	}
	traffic.take();
	const began = performance.now();
	const done = (): readonly string[] =>
		server
			.output()
			.split('\n')
			.filter((line) => line.includes('"event":"task_done"'));
	while (done().length < 2) await pause(50);
	return { said: done().join('\n'), took: performance.now() - began };
};

const measure = async (
	engine: string,
	how: 'hand' | 'server',
	databaseUrl?: string
): Promise<void> => {
	const env = { TZ: 'UTC' };
	const server = await startBuiltServer(databaseUrl === undefined ? { env } : { env, databaseUrl });
	const database = openDatabase(server.databaseUrl);
	try {
		console.log(`${engine}: writing ${rows} rows and ${amounts.accounts} accounts`);
		await fill(server.databaseUrl, database, amounts);
		const alive = await living(database);
		const traffic = await startTraffic(server);
		await pause(2000);
		traffic.take();
		await pause(Number(values.calm) * 1000);
		const calm = traffic.take();
		const { said, took } =
			how === 'hand' ? await byHand(server) : await atThree(server, database, traffic);
		const during = traffic.take();
		await traffic.stop();

		console.log(said.trim());
		report(engine, how, 'before', calm);
		report(engine, how, `during, ${(took / 1000).toFixed(0)} s`, during);
		if (traffic.errors.length > 0) fail(`${traffic.errors.length} errors: ${traffic.errors[0]}`);
		if (during.some((time) => time > LIMIT)) fail(`a request waited more than ${LIMIT} ms`);
		const left = await living(database);
		if (JSON.stringify(left) !== JSON.stringify(alive))
			fail(`of ${JSON.stringify(alive)} are left ${JSON.stringify(left)}`);
		const rest = await database.rows(
			`select email from auth_throttle where email like 'expired%' union all select email from "user" where email like 'gone%'`
		);
		if (rest.length > 0) fail(`${rest.length} were not removed`);
	} finally {
		await database.close();
		await server.stop();
	}
};

const fail = (line: string): void => {
	console.log(`BROKEN: ${line}`);
	process.exitCode = 1;
};

const report = (engine: string, how: string, when: string, times: readonly number[]): void => {
	const at = (share: number): string =>
		`${(times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN).toFixed(1)} ms`;
	const over = times.filter((time) => time > LIMIT).length;
	const cells = [engine, how, when, times.length, at(0.5), at(0.99), at(1), over];
	console.log(`| ${cells.join(' | ')} |`);
};

console.log('| Database | Run by | When | Answers | Median | p99 | Slowest | Over 200 ms |');
console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
const ways = (['hand', 'server'] as const).filter((how) => [how, 'both'].includes(values.by));
if (values.on !== 'postgres') for (const how of ways) await measure('SQLite', how);
if (values.on !== 'sqlite') {
	// Writes through to the disk, as a real one does.
	const postgres = await startPostgres({ fsync: true });
	try {
		for (const how of ways) await measure('PostgreSQL', how, await postgres.createDatabase());
	} finally {
		await postgres.stop();
	}
}
process.exit();
