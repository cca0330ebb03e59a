import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startBuiltServer, type BuiltServer } from '../../support/process/built-server.ts';
import { textOf } from '../../support/http/browser.ts';
import {
	bearer,
	call,
	ME,
	newAddress,
	OUT,
	rounds,
	sendCode,
	signIn,
	tally,
	times,
	type Answer,
	type SignedIn
} from '../../support/http/client.ts';
import { liveJar } from '../../support/http/cookie-jar.ts';
import { present } from '../../support/http/fixtures.ts';
import { newPerson, type Need, type Person, type Request } from './faulty-database.ts';
import { openTcpGate, type TcpGate } from '../../support/process/tcp.ts';
import { memoryOf, processOf } from '../../support/process/server-process.ts';
import { startPostgres, type PostgresServer } from '../../support/postgres/cluster.ts';

const UNAVAILABLE = { message: 'Service unavailable', code: 'SERVICE_UNAVAILABLE' };
const STACK =
	/\bat (?:.+ \()?[^\s"()]+:\d+:\d+|node_modules|ECONN(?:REFUSED|RESET|ABORTED|ECTION)|postgres|select |update /i;

/** Until everything works again. The machine may be busy with other work. */
const SOON = { timeout: 10_000, interval: 50 };
const PEOPLE = rounds(1, 2);
/** Enough for the servers and this test, and quickly used up. */
const CONNECTIONS = 40;

const lives = (pid: number): boolean => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};

/** The answers that are allowed during the fault. */
type Statuses = Readonly<Record<Exclude<Need, 'nothing'>, readonly number[]>>;
type Mend = () => Promise<void> | void;

const NOTHING_WORKS: Statuses = { reads: [503], writes: [503], sends: [503], ready: [503] };

describe('PostgreSQL with faults', () => {
	let cluster: PostgresServer;
	let admin: postgres.Sql;
	let gate: TcpGate;
	let database: string;
	/** Reaches the database through the gate. */
	let server: BuiltServer;
	/** Reaches it directly. */
	let other: BuiltServer;

	beforeAll(async () => {
		cluster = await startPostgres({ fsync: true, maxConnections: CONNECTIONS });
		database = await cluster.createDatabase();
		gate = await openTcpGate(Number(new URL(database).port));
		const through = new URL(database);
		through.port = String(gate.port);
		server = await startBuiltServer({ databaseUrl: through.href });
		other = await startBuiltServer({ databaseUrl: database });
		admin = postgres(cluster.url, { max: 1, max_lifetime: null, onnotice: () => {} });
	});

	afterAll(async () => {
		const codes = [await server.stop(), await other.stop()];
		await admin.end();
		await gate.shut();
		await cluster.stop();
		expect(codes).toEqual([0, 0]);
	}, 60_000);

	const name = (): string => new URL(database).pathname.slice(1);
	/** All processes of the cluster. The first one accepts connections, so it is stopped first. */
	const processes = async (): Promise<readonly number[]> => {
		const rows = await admin<{ pid: number }[]>`
			select pid from pg_stat_activity where pid <> pg_backend_pid()`;
		return [present(cluster.pid), ...rows.map(({ pid }) => pid)];
	};
	/** As an operator stops it: it closes all connections and writes a checkpoint. */
	const halt = async (): Promise<void> => {
		const pid = present(cluster.pid);
		process.kill(pid, 'SIGINT');
		await expect.poll(() => lives(pid), { timeout: 10_000, interval: 20 }).toBe(false);
	};
	/** The number of connections of the two servers. */
	const connections = async (): Promise<number> => {
		const rows = await admin`select 1 from pg_stat_activity where datname = ${name()}`;
		return rows.length;
	};
	const cutAll = () =>
		admin`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${name()}`;
	const onDatabase = async <T>(work: (client: postgres.Sql) => Promise<T>): Promise<T> => {
		const client = postgres(database, { max: 1, onnotice: () => {} });
		try {
			return await work(client);
		} finally {
			await client.end();
		}
	};
	const sessionsOf = (email: string): Promise<number> =>
		onDatabase(async (client) => {
			const rows = await client`
				select 1 from session s join "user" u on u.id = s.user_id where u.email = ${email}`;
			return rows.length;
		});

	interface Done extends Request {
		readonly answer: Answer;
	}
	const allAtOnce = (people: readonly Person[]): Promise<readonly Done[]> =>
		Promise.all(
			people.flatMap(({ requests }) =>
				requests.map(async (request) => ({ ...request, answer: await request.send() }))
			)
		);

	const check = ({ what, need, page, answer }: Done, may: Statuses): void => {
		const { status, headers, text } = answer;
		const allowed = need === 'nothing' ? [200] : may[need];
		expect(allowed, `${what}: ${status}`).toContain(status);
		expect(text, what).not.toMatch(STACK);
		if (status !== 503) return;
		expect(headers['retry-after'], what).toMatch(/^[1-9]\d*$/);
		expect(headers['cache-control'], what).toContain('no-store');
		if (need === 'ready') return;
		expect(
			answer.setCookies.filter((line) => /session=[^;]/.test(line)),
			what
		).toEqual([]);
		if (!page) return expect(answer.json(), what).toEqual(UNAVAILABLE);
		expect(headers['content-type'], what).toMatch(/^text\/html/);
		expect(textOf(text), what).toMatch(/unavailable/i);
	};

	/** Everything works, also the notifications between the instances. */
	const recovered = async (): Promise<void> => {
		for (const at of [server, other]) {
			await expect.poll(async () => (await sendCode(at, newAddress())).status, SOON).toBe(200);
			await expect.poll(async () => (await call(at, '/readyz')).status, SOON).toBe(200);
		}
		const user = await vi.waitFor(() => signIn(other), SOON);
		const jar = await liveJar(server, user);
		const out = await call(other, OUT, { json: {}, headers: bearer(user.token) });
		expect(out.status).toBe(200);
		await expect
			.poll(async () => (await call(server, ME, { headers: { cookie: jar } })).json(), SOON)
			.toBeNull();
	};

	/** A code that failed without the database has opened one session or none. This uses it up. */
	const codesWorkedOnce = async ({ waiting, signInAgain }: Person): Promise<void> => {
		const sessions = () => Promise.all(waiting.map(sessionsOf));
		await signInAgain();
		expect(await sessions()).toEqual(waiting.map(() => 1));
		expect(await signInAgain()).toEqual(waiting.map(() => false));
		expect(await sessions()).toEqual(waiting.map(() => 1));
	};

	const faultsIn = (output: string): readonly Record<string, unknown>[] =>
		output
			.split('\n')
			.filter((line) => line.includes('"fault"'))
			.map((line) => JSON.parse(line) as Record<string, unknown>);

	interface During {
		/** The number of simulated users. */
		readonly count?: number;
		/** Runs after the users got their responses and before the fault ends. */
		readonly meanwhile?: () => Promise<void>;
	}
	/** All users send every request during the fault. Returns the error codes. */
	const goThrough = async (
		begin: () => Promise<Mend>,
		may: Statuses,
		{ count = PEOPLE, meanwhile = async () => {} }: During = {}
	): Promise<readonly string[]> => {
		const people = await Promise.all(times(count, () => newPerson(server)));
		const before = server.output().length;
		const mend = await begin();
		let done: readonly Done[];
		try {
			done = await allAtOnce(people);
			await meanwhile();
		} finally {
			await mend();
		}
		for (const one of done) check(one, may);
		await recovered();
		await Promise.all(people.map(codesWorkedOnce));
		// Requests that timed out left no connection open: each server has 10 in its pool, and 1 that
		// listens. Others may follow from a pool that ended, and close after 20 s without use.
		await expect.poll(connections, { timeout: 40_000 }).toBeLessThanOrEqual(2 * 11);

		const faults = faultsIn(server.output().slice(before));
		for (const fault of faults) {
			expect(fault).toMatchObject({
				where: expect.stringMatching(
					/^(?:[A-Z]+ (?:\/\S*|no route)|outbox|hourly counts|[a-z_]+ mail)$/
				),
				fault: expect.stringMatching(/^store unavailable \([A-Z0-9_a-z]+\)$/)
			});
		}
		// At most two fault lines per request: one for the session lookup and one for the operation.
		const ofRequests = faults.filter(({ requestId }) => requestId !== undefined);
		const lines = tally(ofRequests.map(({ requestId }) => String(requestId)));
		expect(Math.max(...Object.values(lines))).toBeLessThanOrEqual(2);
		expect(server.output()).not.toMatch(/unhandled|uncaught/);
		expect(server.output().split('[postern] listening on')).toHaveLength(2);
		return faults.map((fault) => String(fault['fault']));
	};

	test('M08 restarted under load: 503 meanwhile, the process survives, and everything works soon after', async () => {
		const seen: number[] = [];
		let over = false;
		const user = await signIn(server);
		const ask = async (): Promise<void> => {
			while (!over) {
				const answers = [
					await call(server, ME, { headers: bearer(user.token) }),
					await sendCode(server, newAddress())
				];
				seen.push(...answers.map(({ status }) => status));
			}
		};
		let load: readonly Promise<void>[] = [];
		try {
			await goThrough(async () => {
				load = times(10, ask);
				await expect.poll(() => seen.length, { timeout: 10_000 }).toBeGreaterThan(20);
				await halt();
				return async () => {
					await cluster.restart();
					over = true;
				};
			}, NOTHING_WORKS);
		} finally {
			over = true;
			await Promise.all(load);
		}
		expect(Object.keys(tally(seen))).toEqual(['200', '503']);
	});

	/** More concurrent requests than there are connections, all of which need the database. */
	const crowd = async (users: readonly SignedIn[]): Promise<void> => {
		const answers = await Promise.all(
			times(50, (index) =>
				call(server, ME, { headers: bearer(users[index % users.length]?.token ?? '') })
			)
		);
		expect(tally(answers.map(({ status }) => status))).toEqual({ 503: 50 });
	};
	const rss = (): number => (process.platform === 'linux' ? memoryOf(processOf(server)) : 0);

	test('M09 frozen: every request gets 503 in time, memory stays flat, and service resumes when the fault ends', async () => {
		const users = await Promise.all(times(10, () => signIn(server)));
		await goThrough(
			async () => {
				const pids = await processes();
				for (const pid of pids) process.kill(pid, 'SIGSTOP');
				return () => {
					for (const pid of pids) process.kill(pid, 'SIGCONT');
				};
			},
			NOTHING_WORKS,
			{
				meanwhile: async () => {
					const before = rss();
					for (let round = 0; round < rounds(1, 26); round += 1) await crowd(users);
					expect(rss() - before).toBeLessThan(64);
				}
			}
		);
	});

	test('M09 unreachable, then with connections that are silent and never closed: every request gets 503 in time, and service resumes', async () => {
		const { token } = await signIn(server);
		await goThrough(async () => {
			// These requests open every connection that the pool allows.
			await Promise.all(times(60, () => call(server, ME, { headers: bearer(token) })));
			expect(await connections()).toBeGreaterThan(11);
			gate.freeze();
			return gate.forget;
		}, NOTHING_WORKS);
	});

	test('M09 a table is locked: requests that need it get 503 in time, also when they use every connection', async () => {
		const users = await Promise.all(times(2, () => signIn(server)));
		const faults = await goThrough(
			async () => {
				const locker = postgres(database, { max: 1, onnotice: () => {} });
				const transaction = await locker.reserve();
				await transaction`begin`;
				await transaction`lock table session in access exclusive mode`;
				return async () => {
					await transaction`rollback`;
					transaction.release();
					await locker.end();
				};
			},
			// A code refers to the session that requested it, so storing one needs the table as well.
			{ reads: [503], writes: [503], sends: [503], ready: [200, 503] },
			// One user leaves connections free, so each statement waits for its full timeout.
			{
				count: 1,
				meanwhile: async () => {
					await expect.poll(async () => (await call(server, '/readyz')).status, SOON).toBe(200);
					await crowd(users);
				}
			}
		);
		// PostgreSQL's own statement timeout ended the statements.
		expect(faults).toContain('store unavailable (57014)');
	});

	test('M09 other clients use all connections of the server: every request gets 503 in time, and service resumes', async () => {
		const faults = await goThrough(async () => {
			const others: postgres.Sql[] = [];
			// The rest is for `admin`. A server that is still connecting has a place and no database.
			while (others.length < CONNECTIONS - 1) {
				const one = postgres(cluster.url, { max: 1, max_lifetime: null, onnotice: () => {} });
				try {
					await one`select 1`;
					others.push(one);
				} catch {
					await cutAll();
				}
			}
			return async () => {
				await Promise.all(others.map((one) => one.end({ timeout: 1 })));
			};
		}, NOTHING_WORKS);
		expect(faults).toContain('store unavailable (53300)');
	});

	test('M09 the server is read-only until it allows writes, and connections stay open: reads continue, writes get 503, and writes resume', async () => {
		const readOnly = async (on: boolean): Promise<void> => {
			await admin.unsafe(
				`alter database ${name()} ${on ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'}`
			);
		};
		const user = await signIn(server);
		const faults = await goThrough(
			async () => {
				await readOnly(true);
				await cutAll();
				await expect
					.poll(async () => (await call(server, ME, { headers: bearer(user.token) })).status)
					.toBe(200);
				return () => readOnly(false);
			},
			{ reads: [200], writes: [503], sends: [503], ready: [200] }
		);
		expect(faults).toContain('store unavailable (25006)');
	});
});
