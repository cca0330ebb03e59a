import { sql } from 'drizzle-orm';
import { setTimeout as pause } from 'node:timers/promises';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { openPostgres } from '#lib/adapters/postgres/open.ts';
import { rowsOf, type Sql, type Work } from '#lib/adapters/sql/sql.ts';
import { createTimedDatabase } from '../../support/postgres/time.ts';
import { dropDatabase } from '../../support/postgres/cluster.ts';

const nameOf = (url: string): string => new URL(url).pathname.slice(1);

describe('a transaction on PostgreSQL', () => {
	let url: string;
	let database: Sql;
	let admin: postgres.Sql;
	const uncaught = vi.fn();

	beforeEach(async () => {
		url = await createTimedDatabase(inject('postgresUrl'), inject('postgresPrefix'));
		admin = postgres(inject('postgresUrl'), { max: 1 });
		// Sooner than by default, far below the time limit of a request.
		await admin`alter database ${admin(nameOf(url))} set deadlock_timeout = '100ms'`;
		database = await openPostgres(url);
		process.on('uncaughtException', uncaught);
	});
	afterEach(async () => {
		process.off('uncaughtException', uncaught);
		uncaught.mockClear();
		await admin.end();
		await database.close();
		await dropDatabase(inject('postgresUrl'), url);
	});

	const asleep = async (): Promise<readonly number[]> => {
		const name = nameOf(url);
		const rows = await admin<{ pid: number }[]>`
			select pid from pg_stat_activity where datname = ${name} and query like '%pg_sleep%'`;
		return rows.map(({ pid }) => pid);
	};
	/** Returns the number of statements that it ran. */
	const sleeping = (seconds: number, then = 0): Promise<number> =>
		database.transaction(function* (tx): Work<number> {
			const slept = sql<string>`pg_sleep(${seconds})::text`;
			const one = sql`(select 1) as one`;
			const first = yield* rowsOf(tx.select({ slept }).from(one));
			const second = yield* rowsOf(
				tx.select({ slept: sql<string>`pg_sleep(${then})::text` }).from(one)
			);
			return first.length + second.length;
		});

	it('M09 whose statements are answered, but which takes too long, fails alone', async () => {
		const slow = sleeping(1.5, 1.5).catch((error: unknown) => error);
		await pause(1000);
		const other = database.run(() => database.db.execute(sql`select pg_sleep(1.5)`));
		expect(await slow).toMatchObject({ name: 'StoreUnavailable' });
		expect(await other).toHaveLength(1);
	});

	it('that the server ends because of a deadlock runs again', async () => {
		const locking = (values: readonly string[]): Promise<void> =>
			database.transaction(function* (tx): Work<void> {
				for (const value of values) {
					yield* tx.lockValue(value);
					yield tx.select({ slept: sql<string>`pg_sleep(0.1)::text` }).from(sql`(select 1) as one`);
				}
			});
		const both = Promise.all([locking(['one', 'other']), locking(['other', 'one'])]);
		await expect(both).resolves.toHaveLength(2);
	});

	it('M08 whose connection ends is refused, throws nothing outside of it, and later ones work', async () => {
		for (let round = 0; round < 3; round += 1) {
			const lost = [30, 30, 30].map((seconds) =>
				sleeping(seconds).catch((error: unknown) => error)
			);
			await vi.waitFor(async () => expect(await asleep()).toHaveLength(lost.length), 20_000);
			for (const pid of await asleep()) await admin`select pg_terminate_backend(${pid}, 5000)`;
			for (const answer of await Promise.all(lost)) {
				expect(answer).toMatchObject({ name: 'StoreUnavailable' });
			}
			await Promise.all(
				[0, 0, 0, 0].map(async (seconds) => {
					await vi.waitFor(async () => expect(await sleeping(seconds)).toBe(2), 20_000);
				})
			);
		}
		// What the driver throws, it throws in the next turn of the event loop.
		await pause(1);
		expect(uncaught).not.toHaveBeenCalled();
	});
});
