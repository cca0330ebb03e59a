import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fixedClock, type FixedClock } from '../../support/memory/drivers.ts';
import { SEND } from '../../support/web/sign-in.ts';
import { aSite } from '../../support/web/site.ts';
import { rateLimiter, type RateLimiterOptions } from '#lib/adapters/web/edge/limits/limiter.ts';
import { LIMIT_CAPACITY, requestLimits } from '#lib/adapters/web/edge/limits/hit-limits.ts';
import { rulesOf } from '#lib/adapters/web/route-rules.ts';

type Limiter = ReturnType<typeof rateLimiter>;

const setUp = (
	options: Partial<RateLimiterOptions> = {}
): { limiter: Limiter; clock: FixedClock } => {
	const clock = fixedClock();
	return {
		limiter: rateLimiter({
			limit: 5,
			window: 60,
			capacity: 1000,
			monotonic: clock.monotonic,
			...options
		}),
		clock
	};
};
const hits = (limiter: Limiter, key: string, times: number): number =>
	Array.from({ length: times }, () => limiter.hit(key)).filter((wait) => wait === 0).length;

describe('a limit', () => {
	test('B11: of concurrent requests for the last place exactly one passes', async () => {
		const { limiter } = setUp();
		hits(limiter, 'a', 4);
		const racing = Array.from({ length: 50 }, async () => {
			await Promise.resolve();
			return limiter.hit('a') === 0;
		});
		expect((await Promise.all(racing)).filter(Boolean)).toHaveLength(1);
	});

	test('a hit given back by a key that was evicted changes nothing', () => {
		const { limiter } = setUp();
		limiter.giveBack('a');
		expect(hits(limiter, 'a', 9)).toBe(5);
	});
});

describe('a limiter against its model', () => {
	const step = fc.record({
		key: fc.constantFrom('a', 'b'),
		// Long enough to leave windows, short enough to fill them.
		pause: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4000 }), fc.constant(9_999)),
		obeys: fc.boolean()
	});

	test('B14: it allows exactly what the window has room for, and a client that waits for Retry-After is allowed', () => {
		fc.assert(
			fc.property(
				fc.array(step, { maxLength: 60 }),
				fc.integer({ min: 1, max: 4 }),
				(steps, limit) => {
					const { limiter, clock } = setUp({ limit, window: 10 });
					const allowed = new Map<string, number[]>();
					const inWindow = (key: string): number =>
						(allowed.get(key) ?? []).filter((at) => at > clock.now().getTime() - 10_000).length;
					const hit = (key: string): number => {
						const room = inWindow(key) < limit;
						expect(limiter.wait(key) === 0).toBe(room);
						const wait = limiter.hit(key);
						expect(wait === 0).toBe(room);
						if (wait > 0) return wait;
						allowed.set(key, [...(allowed.get(key) ?? []), clock.now().getTime()]);
						return 0;
					};
					for (const { key, pause, obeys } of steps) {
						clock.advance(pause / 1000);
						const wait = hit(key);
						expect(Number.isInteger(wait) && wait <= 10).toBe(true);
						if (wait === 0 || !obeys) continue;
						// Not a second longer than needed, and not too short.
						clock.advance(wait - 1);
						expect(limiter.wait(key)).toBe(1);
						clock.advance(1);
						expect(hit(key)).toBe(0);
					}
				}
			),
			{ numRuns: 500 }
		);
	});
});

describe('B10: a flood of keys', () => {
	test('frees no blocked key early', () => {
		const { limiter } = setUp({ capacity: 100 });
		hits(limiter, 'blocked', 5);
		for (let i = 0; i < 5000; i += 1) {
			limiter.hit(`flood ${i}`);
			expect(hits(limiter, 'blocked', 1)).toBe(0);
		}
	});

	test('of keys that are not blocked evicts old ones', () => {
		const { limiter } = setUp({ limit: 2, capacity: 100 });
		limiter.hit('early');
		for (let i = 0; i < 300; i += 1) limiter.hit(`${i}`);
		expect(hits(limiter, '299', 9)).toBe(1);
		expect(hits(limiter, 'early', 9)).toBe(2);
	});

	test('never stores more keys than the capacity, not even one', () => {
		const { limiter } = setUp({ limit: 2, capacity: 3 });
		for (const key of ['first', 'b', 'c', 'd']) limiter.hit(key);
		expect(hits(limiter, 'first', 9)).toBe(2);
	});

	test('of blocked keys frees none, and still counts newcomers one by one', () => {
		const { limiter, clock } = setUp({ capacity: 50 });
		for (let i = 0; i < 60; i += 1) hits(limiter, `blocked ${i}`, 5);
		expect(hits(limiter, 'greedy', 1000)).toBe(5);
		for (let i = 0; i < 100; i += 1) expect(hits(limiter, `other ${i}`, 1)).toBe(1);
		for (let i = 0; i < 60; i += 1) expect(limiter.hit(`blocked ${i}`)).toBeGreaterThan(0);
		clock.advance(60);
		expect(hits(limiter, 'greedy', 9)).toBe(5);
	});

	// The code that mutation testing adds takes memory, too.
	const isMutated = process.env['STRYKER_MUTATOR_WORKER'] !== undefined;
	test.skipIf(isMutated)(
		'of a million leaves less than 40 MB behind, and grows the process by less than 150 MB',
		() => {
			setFlagsFromString('--expose-gc');
			const collect = runInNewContext('gc') as () => void;
			const { limiter } = setUp({ limit: 100, capacity: LIMIT_CAPACITY });
			hits(limiter, 'blocked', 100);
			collect();
			const before = process.memoryUsage();
			for (let i = 0; i < 1_000_000; i += 1) {
				limiter.hit(`2001:db8:${(i >> 8).toString(16)}:${i & 255}::/64 /api/auth/get-session`);
			}
			const flooded = process.memoryUsage();
			collect();
			const after = process.memoryUsage();
			expect(after.heapUsed - before.heapUsed).toBeLessThan(40 * 1024 ** 2);
			expect(flooded.rss - before.rss).toBeLessThan(150 * 1024 ** 2);
			expect(limiter.hit('blocked')).toBeGreaterThan(0);
		},
		60_000
	);
});

describe('all limits of a request', () => {
	const send = {
		method: 'POST',
		rules: rulesOf('/api/auth/email-otp/send-verification-otp'),
		pathname: '/api/auth/email-otp/send-verification-otp',
		action: () => 'default'
	};
	const form = { method: 'POST', rules: rulesOf('/auth/sign-in'), pathname: '/auth/sign-in' };

	test('B07: the 21st send from one client is refused, by any way of sending', () => {
		const clock = fixedClock();
		const hit = requestLimits(clock.monotonic);
		for (let i = 0; i < 10; i += 1) {
			expect(hit('192.0.2.1', send)).toBe(0);
			expect(hit('::ffff:192.0.2.1', { ...form, action: () => 'request' })).toBe(0);
		}
		expect(hit('192.0.2.1', send)).toBe(60);
		expect(hit('192.0.2.1', { ...form, action: () => 'resend' })).toBe(60);
		expect(hit('192.0.2.2', send)).toBe(0);
	});

	test('A16: the 31st check of a code is refused', () => {
		const hit = requestLimits(fixedClock().monotonic);
		const verify = { ...form, action: () => 'verify' };
		const waits = Array.from({ length: 31 }, () => hit('2001:db8::1', verify));
		expect(waits.findIndex((wait) => wait > 0)).toBe(30);
	});

	test('B14: a refusal counts against no limit and has the longest wait', () => {
		const clock = fixedClock();
		const hit = requestLimits(clock.monotonic);
		const other = { ...form, action: () => 'default' };
		for (let i = 0; i < 80; i += 1) hit('192.0.2.1', other);
		clock.advance(30);
		for (let i = 0; i < 20; i += 1) hit('192.0.2.1', { ...form, action: () => 'request' });
		// The route has room again in 30 seconds, sending in 60.
		for (let i = 0; i < 200; i += 1) {
			expect(hit('192.0.2.1', { ...form, action: () => 'request' })).toBe(60);
		}
		clock.advance(60);
		expect(hit('192.0.2.1', { ...form, action: () => 'request' })).toBe(0);
	});

	test.each([86_400, -86_400])('M13: setting the clock by %d s changes no wait', async (by) => {
		const site = await aSite();
		const visitor = site.visitor();
		const wait = async () =>
			(await visitor.call(SEND, { json: { email: '' } })).headers.get('retry-after');
		for (let i = 0; i < 20; i += 1) expect(await wait()).toBe(null);
		site.clock.advance(20);
		site.clock.jump(by);
		expect(await wait()).toBe('40');
		site.clock.advance(40);
		expect(await wait()).toBe(null);
	});
});
