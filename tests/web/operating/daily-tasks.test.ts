import { afterEach, describe, expect, it, vi } from 'vitest';
import { fixedClock } from '../../support/memory/drivers.ts';
import { memoryStores } from '../../support/memory/stores.ts';
import { memoryTables } from '../../support/memory/tables.ts';
import { runDailyTasks, startDailyTasks, type DailyApp } from '#lib/adapters/tasks/daily.ts';
import { taskNames } from '#lib/adapters/tasks/tasks.ts';
import type { Clock } from '#lib/domain/time.ts';

interface House {
	/** A server process as the tasks see it; all instances of an installation share a database. */
	instance(): DailyApp;
	/** The name of each task, each time it did its work. */
	readonly done: string[];
	/** The log: finished tasks with their counts, and errors. */
	readonly logged: unknown[];
	readonly tables: ReturnType<typeof memoryTables>;
}

/** What a run of `auth:prune-throttle` removes here. */
const pruned = {
	throttleRows: 3,
	codes: 2,
	sessions: 1,
	devices: 4,
	counts: 6,
	proofs: 5,
	events: 9,
	failedEmails: 7,
	oidcRecords: 0,
	emailUndos: 8
};

const aHouse = (clock: Clock, changes: Partial<DailyApp> = {}): House => {
	const tables = memoryTables();
	const { taskRuns } = memoryStores(tables);
	const done: string[] = [];
	const logged: unknown[] = [];
	return {
		done,
		logged,
		tables,
		instance: () => ({
			clock,
			taskRuns,
			asSystem: (work) => work(),
			log: {
				event: (name, fields) => logged.push({ name, ...fields }),
				fault: (where, fault) => logged.push({ where, fault })
			},
			pruneExpired: async () => {
				done.push('auth:prune-throttle');
				return pruned;
			},
			purgeAccounts: async () => {
				done.push('account:purge');
				return 4;
			},
			...changes
		})
	};
};

/** Local noon, so that the day is the same wherever this runs. */
const noon = (day: number): Date => new Date(2026, 2, day, 12);
const all = ['account:purge', 'auth:prune-throttle'];

describe('daily tasks', () => {
	it('all run once a day, and log what they removed', async () => {
		const { instance, done, logged } = aHouse(fixedClock(noon(28)));
		expect(taskNames).toEqual(all);
		for (let run = 0; run < 3; run += 1) await runDailyTasks(instance());
		expect(done).toEqual(all);
		expect(logged).toEqual([
			{ name: 'task_done', task: all[0], accounts: 4 },
			{ name: 'task_done', task: all[1], ...pruned }
		]);
	});

	it('B15: exactly one of several instances runs each task', async () => {
		const { instance, done } = aHouse(fixedClock(noon(28)));
		await Promise.all([instance(), instance(), instance()].map(runDailyTasks));
		expect(done.toSorted()).toEqual(all.toSorted());
	});

	it('they run again on the next day, and claims of earlier days are removed', async () => {
		const clock = fixedClock(noon(28));
		const { instance, done, tables } = aHouse(clock);
		for (const day of [28, 29, 30, 31]) {
			clock.set(noon(day));
			await runDailyTasks(instance());
			await runDailyTasks(instance());
		}
		expect(done).toEqual([...all, ...all, ...all, ...all]);
		expect([...tables.taskRuns.values()]).toEqual(all.map((task) => ({ task, day: '2026-03-31' })));
	});

	it('a failed task is logged, does not stop the others, and runs again the next day', async () => {
		const clock = fixedClock(noon(28));
		const broken = new Error('the database is away');
		const { instance, done, logged } = aHouse(clock, {
			pruneExpired: () => Promise.reject(broken)
		});
		await runDailyTasks(instance());
		expect(done).toEqual(['account:purge']);
		expect(logged).toEqual([
			{ name: 'task_done', task: 'account:purge', accounts: 4 },
			{ where: 'task auth:prune-throttle', fault: broken }
		]);
		clock.set(noon(29));
		await runDailyTasks(instance());
		expect(logged).toHaveLength(4);
	});

	it('if a day cannot be claimed nothing runs, and that is logged', async () => {
		const away = new Error('the database is away');
		const { instance, done, logged } = aHouse(fixedClock(noon(28)), {
			taskRuns: { claim: () => Promise.reject(away) }
		});
		await runDailyTasks(instance());
		expect(done).toEqual([]);
		expect(logged).toEqual(all.map((name) => ({ where: `task ${name}`, fault: away })));
	});
});

const zones = [
	'UTC',
	// In spring there is no three o’clock, and in autumn there are two.
	'Europe/Helsinki',
	// A change of half an hour.
	'Australia/Lord_Howe',
	// A change at midnight instead of at night.
	'America/Santiago',
	// From 2:45 to 3:45 and back.
	'Pacific/Chatham'
];
const HOUR = 3600_000;

/** The wall clock of a zone at an instant: `2026-03-29 04:00`. */
const wallClock = (zone: string): ((instant: Date) => string) => {
	const format = new Intl.DateTimeFormat('sv-SE', {
		timeZone: zone,
		dateStyle: 'short',
		timeStyle: 'short'
	});
	return (instant) => format.format(instant);
};

/** The hours after which the wall clock has moved on by anything but an hour. */
const clockChanges = (zone: string, from: Date, to: Date): readonly Date[] => {
	const reads = wallClock(zone);
	const read = (time: number): number => Date.parse(`${reads(new Date(time)).replace(' ', 'T')}Z`);
	const changes: Date[] = [];
	for (let time = from.getTime(); time < to.getTime(); time += HOUR) {
		if (read(time + HOUR) - read(time) !== HOUR) changes.push(new Date(time));
	}
	return changes;
};

const [from, to] = [new Date('2026-01-05T00:00:00Z'), new Date('2027-01-05T00:00:00Z')];

describe.each(zones)('B15: the schedule in %s, by the wall clock of the process', (zone) => {
	const changes = clockChanges(zone, from, to);

	const before = process.env['TZ'];
	afterEach(() => {
		vi.useRealTimers();
		if (before === undefined) delete process.env['TZ'];
		else process.env['TZ'] = before;
	});

	it('each task runs once a day around every change of clock, on two instances that restart', async () => {
		const reads = wallClock(zone);
		process.env['TZ'] = zone;
		for (const change of changes.length > 0 ? changes : [new Date('2026-03-29T00:00:00Z')]) {
			const begin = new Date(change.getTime() - 20 * HOUR);
			vi.useFakeTimers({ now: begin });
			const runs: string[] = [];
			const { instance, logged } = aHouse(
				{ now: () => new Date() },
				{
					purgeAccounts: async () => {
						runs.push(reads(new Date()));
						return 0;
					}
				}
			);
			const jobs = [startDailyTasks(instance())];
			for (let hour = 0; hour < 44; hour += 1) {
				// Now and then an instance restarts, also between the two three o’clocks.
				if (hour % 4 === 0) {
					jobs.push(startDailyTasks(instance()));
					if (jobs.length > 2) jobs.shift()?.stop();
				}
				await vi.advanceTimersByTimeAsync(HOUR);
			}
			for (const job of jobs) job.stop();
			const end = new Date();
			vi.useRealTimers();

			const days = runs.map((run) => run.slice(0, 10));
			expect(new Set(days).size).toBe(days.length);
			// The first moment of a day at which the wall clock shows three or later.
			const threes = new Map<string, number>();
			for (let time = begin.getTime() - 24 * HOUR; time <= end.getTime(); time += HOUR / 4) {
				const [day = '', clock = ''] = reads(new Date(time)).split(' ');
				if (clock >= '03:00' && !threes.has(day)) threes.set(day, time);
			}
			const due = [...threes].filter(([, time]) => time > begin.getTime());
			expect(days).toEqual(due.map(([day]) => day));
			expect(days.length).toBeGreaterThan(0);
			expect(logged).toHaveLength(all.length * days.length);
		}
	});
});
