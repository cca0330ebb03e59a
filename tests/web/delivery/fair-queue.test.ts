import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fairQueue, type FairQueueSettings } from '#lib/adapters/mail/fair-queue.ts';
import { fakeTiming } from '../../support/time/fake-timing.ts';

const SLOW = 250;

/** A queue that runs five jobs at a time. Each takes 250 ms. */
const setUp = (changes: Partial<FairQueueSettings> = {}) => {
	const timing = fakeTiming();
	const queue = fairQueue({ width: 5, capacity: 1_000, maxWait: 5_000, timing, ...changes });
	const done: string[] = [];
	/** Runs one job of a key. Returns its outcome and duration. */
	const run = async (key: string, takes = SLOW) => {
		const began = timing.now();
		const outcome = await queue.run(key, async () => {
			await new Promise<void>((resolve) => timing.after(takes, resolve));
			done.push(key);
			return 'sent' as const;
		});
		return { key, outcome, took: timing.now() - began };
	};
	return { timing, queue, done, run };
};
type SetUp = ReturnType<typeof setUp>;

/** Keys that share a rate of jobs a second, for some seconds. */
const flood = async ({ timing, run }: SetUp, keys: number, perSecond: number, seconds: number) => {
	const sent: ReturnType<typeof run>[] = [];
	for (let tick = 0; tick < seconds * perSecond; tick += 1) {
		sent.push(run(`flood ${tick % keys}`));
		await timing.advance(1000 / perSecond);
	}
	return sent;
};

/** How long a job of another key takes in a flood of 40 jobs a second from this many keys. */
const inFlood = async (keys: number) => {
	const fixture = setUp();
	await flood(fixture, keys, 40, 20);
	const honest = fixture.run('honest');
	await fixture.timing.advance(10_000);
	return honest;
};

describe('R04: a fair queue', () => {
	test('does not delay a key because another one has many jobs', async () => {
		const { outcome, took } = await inFlood(1);
		expect(outcome).toBe('sent');
		expect(took).toBeLessThan(2.5 * SLOW);
	});

	test('serves 30 keys in turn, so that a new one has its turn after one job of each', async () => {
		const { outcome, took } = await inFlood(30);
		expect(outcome).toBe('sent');
		expect(took).toBeLessThan(3_000);
	});

	test('refuses a job that waited too long, and never runs it', async () => {
		const fixture = setUp();
		const sent = await flood(fixture, 100, 40, 30);
		await fixture.timing.advance(10_000);
		const outcomes = await Promise.all(sent);
		const refused = outcomes.filter(({ outcome }) => outcome === 'busy');
		expect(refused.length).toBeGreaterThan(300);
		expect(fixture.done).toHaveLength(outcomes.length - refused.length);
		for (const { took } of refused) expect(took).toBe(5_000);
		expect(fixture.timing.timers).toBe(0);
	});

	test('tells a job how long it waited', async () => {
		const { timing, queue, run } = setUp({ width: 1 });
		void run('a');
		const waited = queue.run('b', async (milliseconds) => milliseconds);
		await timing.advance(SLOW);
		expect(await waited).toBe(SLOW);
		expect(await queue.run('b', async (milliseconds) => milliseconds)).toBe(0);
	});

	test('continues after jobs that hung: nothing is refused while there is room', async () => {
		const { timing, run } = setUp();
		for (let i = 0; i < 5; i += 1) void run('a', 9_000);
		await timing.advance(10_000);
		for (let i = 0; i < 5; i += 1) {
			const next = run('a');
			await timing.advance(SLOW);
			expect((await next).outcome).toBe('sent');
		}
	});

	test('keeps a place free from a key whose jobs hang, and delays no other key', async () => {
		const { timing, queue, run } = setUp();
		const hanging = Array.from({ length: 6 }, () => run('slow', 9_000));
		await timing.advance(100);
		expect(queue.waiting).toBe(2);
		const others = ['a', 'b', 'c'].map((key) => run(key));
		await timing.advance(3 * SLOW);
		for (const [index, other] of others.entries()) {
			expect(await other).toMatchObject({ outcome: 'sent', took: (index + 1) * SLOW });
		}
		await timing.advance(20_000);
		const outcomes = (await Promise.all(hanging)).map(({ outcome }) => outcome);
		expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(2);
	});

	test('gives a single place to any key, and all places but one to a key alone', async () => {
		for (const [width, held] of [
			[1, 1],
			[2, 1],
			[5, 4]
		] as const) {
			const { queue, run } = setUp({ width });
			for (let i = 0; i < 10; i += 1) void run('a');
			expect(queue.waiting).toBe(10 - held);
		}
	});

	test('is bounded, and a full queue refuses the newest job at once', async () => {
		const { queue, run } = setUp({ width: 1, capacity: 10 });
		for (let key = 0; key < 11; key += 1) void run(`key ${key}`);
		expect(queue.waiting).toBe(10);
		expect(await run('one more')).toMatchObject({ outcome: 'busy', took: 0 });
		expect(queue.waiting).toBe(10);
	});

	test('a full queue makes room for a key with fewer jobs than the one with the most', async () => {
		const { timing, queue, run } = setUp({ width: 1, capacity: 10 });
		const long = Array.from({ length: 12 }, () => run('long'));
		const short = run('short');
		await timing.advance(20 * SLOW);
		expect((await short).outcome).toBe('sent');
		const outcomes = (await Promise.all(long)).map(({ outcome }) => outcome);
		expect(outcomes.filter((outcome) => outcome === 'busy')).toHaveLength(2);
		expect(queue.waiting).toBe(0);
	});

	test('a failed job frees its place', async () => {
		const { timing, queue, run } = setUp({ width: 1 });
		const failing = queue.run('a', () => Promise.reject(new Error('bug')));
		const next = run('a');
		await expect(failing).rejects.toThrow('bug');
		await timing.advance(SLOW);
		expect((await next).outcome).toBe('sent');
	});

	test('for any load, every job ends in time, none runs twice and none remains', async () => {
		const step = fc.record({
			key: fc.integer({ min: 0, max: 6 }),
			takes: fc.constantFrom(1, 50, 250, 3_000),
			pause: fc.constantFrom(0, 0, 10, 200)
		});
		const bounds = { width: 2, capacity: 8, maxWait: 1_000 };
		await fc.assert(
			fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
				const fixture = setUp(bounds);
				const sent: ReturnType<typeof fixture.run>[] = [];
				for (const { key, takes, pause } of steps) {
					sent.push(fixture.run(String(key), takes));
					expect(fixture.queue.waiting).toBeLessThanOrEqual(bounds.capacity);
					if (pause > 0) await fixture.timing.advance(pause);
				}
				await fixture.timing.advance(20_000);
				const outcomes = await Promise.all(sent);
				const ran = outcomes.filter(({ outcome }) => outcome === 'sent').map(({ key }) => key);
				expect(fixture.done.toSorted()).toEqual(ran.toSorted());
				for (const { took } of outcomes) expect(took).toBeLessThanOrEqual(1_000 + 3_000);
				expect([fixture.queue.waiting, fixture.timing.timers]).toEqual([0, 0]);
			}),
			{ numRuns: 50 }
		);
	});
});
