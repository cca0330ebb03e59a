import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { databaseClock, type DatabaseClock } from '#lib/adapters/postgres/database-clock.ts';
import { createTimedDatabase, moveDatabaseTime } from '../../support/postgres/time.ts';
import { dropDatabase } from '../../support/postgres/cluster.ts';
import { clockContract } from '../system/clock.contract.ts';

clockContract('database, before its first sample', databaseClock);
clockContract('database', () => {
	const clock = databaseClock();
	const now = performance.now();
	clock.learn({ sentAt: now, receivedAt: now, serverTime: Date.now() });
	return clock;
});

const HOUR = 3_600_000;

describe('the database’s clock', () => {
	/** The server’s clock when this process’s monotonic clock is 0. */
	const start = Date.UTC(2026, 0, 1);
	let clock: DatabaseClock;
	beforeEach(() => {
		vi.useFakeTimers({ toFake: ['performance', 'Date'], now: start + HOUR });
		vi.advanceTimersByTime(20_000);
		clock = databaseClock();
	});
	afterEach(() => {
		vi.useRealTimers();
	});

	/** An answer that arrives now, `took` milliseconds after its query. */
	const answer = (serverTime: number, took = 0) => ({
		sentAt: performance.now() - took,
		receivedAt: performance.now(),
		serverTime
	});
	const reading = (): number => clock.now().getTime();

	it('returns the machine’s time until its first measurement', () => {
		vi.useRealTimers();
		expect(Math.abs(databaseClock().now().getTime() - Date.now())).toBeLessThan(60_000);
		vi.useFakeTimers({ toFake: ['performance', 'Date'], now: start + HOUR });
		clock.learn(answer(start));
		expect(reading()).toBe(start);
	});

	it('continues by itself between two measurements', () => {
		clock.learn(answer(start));
		vi.advanceTimersByTime(12_345);
		expect(reading()).toBe(start + 12_345);
	});

	it.each([HOUR, -HOUR, 24 * HOUR, -24 * HOUR])(
		'M13: setting the machine clock by %d ms does not move it',
		(by) => {
			clock.learn(answer(start));
			vi.setSystemTime(Date.now() + by);
			expect(reading()).toBe(start);
		}
	);

	it.each([HOUR, -HOUR])('M13: it follows the server’s clock when that is set by %d ms', (by) => {
		clock.learn(answer(start, 2));
		vi.advanceTimersByTime(250);
		clock.learn(answer(start + by, 2));
		expect(Math.abs(reading() - (start + by))).toBeLessThanOrEqual(2);
	});

	it('assumes that the server read its time half way, and prefers quicker responses', () => {
		clock.learn(answer(start, 400));
		expect(reading()).toBe(start + 200);
		clock.learn(answer(start, 2));
		expect(reading()).toBeLessThanOrEqual(start + 2);
	});

	it('does not run back or jump when responses take more or less time', () => {
		clock.learn(answer(start, 2));
		let before = reading();
		for (const took of [1900, 3, 700, 2, 250, 40, 1999]) {
			vi.advanceTimersByTime(250);
			// The server may have answered at any of these moments.
			for (const share of [0, 0.5, 1]) {
				clock.learn(answer(before + 250 - took * share, took));
				expect(Math.abs(reading() - (before + 250))).toBeLessThanOrEqual(1);
			}
			before += 250;
		}
	});

	it('a slow response does not move it if both agree, and otherwise only as far as necessary', () => {
		clock.learn(answer(start, 2));
		vi.advanceTimersByTime(3000);
		clock.learn(answer(start + 1100, 2000));
		expect(Math.abs(reading() - (start + 3000))).toBeLessThanOrEqual(1);
		vi.advanceTimersByTime(3000);
		clock.learn(answer(start + HOUR, 2000));
		expect(reading()).toBe(start + HOUR);
	});

	it('a response older than the last one is ignored', () => {
		const early = { sentAt: performance.now() - 100, receivedAt: performance.now() };
		clock.learn(answer(start + HOUR, 2));
		clock.learn({ ...early, serverTime: start });
		expect(Math.abs(reading() - (start + HOUR))).toBeLessThanOrEqual(1);
	});
});

describe('two processes on one database', () => {
	const clockPrinters = async (url: string, machines: readonly number[]) =>
		Promise.all(
			machines.map(async (ahead) => {
				const { stdout } = await promisify(execFile)(
					process.execPath,
					[
						'--import',
						pathToFileURL(join(import.meta.dirname, '../../support/time/shifted-clock.ts')).href,
						join(import.meta.dirname, './print-clock.ts')
					],
					{ env: { DATABASE_URL: url, TEST_CLOCK_AHEAD: String(ahead) } }
				);
				return JSON.parse(stdout) as { database: number; machine: number };
			})
		);

	it('M13: whose machine clocks are a minute apart agree on the database’s time', async () => {
		const url = await createTimedDatabase(inject('postgresUrl'));
		try {
			await moveDatabaseTime(url, 3600);
			const [slow, fast] = await clockPrinters(url, [-30, 30]);
			if (slow === undefined || fast === undefined) throw new Error('no answer');
			expect(fast.machine - slow.machine).toBeGreaterThan(59_000);
			expect(Math.abs(fast.database - slow.database)).toBeLessThan(5_000);
			// As measured by this machine’s own clock, on which the database runs.
			expect(Math.abs(slow.database - HOUR)).toBeLessThan(5_000);
		} finally {
			await dropDatabase(inject('postgresUrl'), url);
		}
	});
});
