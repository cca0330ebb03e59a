import { describe, expect, test } from 'vitest';
import {
	cacheValidity,
	MAX_RECENT_CHANGES,
	type SeenSession
} from '#lib/adapters/web/edge/session/cache-validity.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { Revoked } from '#lib/domain/sessions/ports.ts';
import { aSession, aUser } from '../../support/domain/builders.ts';

const start = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);

/** Read at this second of monotonic time. */
const seen = (session: string, user: string, second: number): SeenSession => ({
	readAt: second * 1000,
	user: aUser({ id: user as UserId }),
	session: aSession({ id: session as SessionId, userId: user as UserId, expiresAt: after(86_400) })
});

const fixture = (bound?: number) => {
	let since: number | null = 0;
	let monotonicMs = 0;
	let tell: (id: Revoked) => void = () => {};
	const tested = cacheValidity(
		{ subscribe: (listener) => (tell = listener), reliableSince: () => since },
		() => monotonicMs,
		bound
	);
	const tellIn = (id: string): void => tell(id as Revoked);
	return {
		/** Where the clock shows another time, its setting must not matter. */
		isCurrent: (entry: SeenSession, now = start) => tested.isCurrent(entry, now),
		by: {
			'this process': (id: string) => tested.revoke([id as Revoked]),
			'another process': tellIn
		},
		tell: tellIn,
		/** Seconds of monotonic time, whatever the clock shows. */
		passUntil: (second: number) => (monotonicMs = second * 1000),
		hearAgainSince: (second: number | null) => (since = second && second * 1000)
	};
};

const ada = seen('one', 'ada', 10);

describe('a cached entry', () => {
	test('is current while no change is known', () => {
		expect(fixture().isCurrent(ada)).toBe(true);
	});

	test('E08: is stale 300 seconds after it was read', () => {
		const { isCurrent, passUntil } = fixture();
		passUntil(309.999);
		expect(isCurrent(ada)).toBe(true);
		passUntil(310);
		expect(isCurrent(ada)).toBe(false);
	});

	test('E11: never outlives the session itself', () => {
		const { isCurrent } = fixture();
		expect(isCurrent(ada, after(86_399.999))).toBe(true);
		expect(isCurrent(ada, after(86_400))).toBe(false);
	});

	describe.each(['this process', 'another process'] as const)('after a change by %s', (who) => {
		test.each([
			['E06: whose session ended', 'one'],
			['whose account changed', 'ada']
		])('%s is stale, and a later read is current', (_, id) => {
			const { by, isCurrent, passUntil } = fixture();
			passUntil(20);
			by[who](id);
			passUntil(21);
			expect(isCurrent(ada)).toBe(false);
			// At the same instant, the read may have been before or after.
			expect(isCurrent(seen('one', 'ada', 20))).toBe(false);
			expect(isCurrent(seen('one', 'ada', 20.001))).toBe(true);
			expect(isCurrent(seen('two', 'grace', 10))).toBe(true);
			// Of the same account, only the session that ended.
			expect(isCurrent(seen('two', 'ada', 10))).toBe(id === 'one');
		});

		test.each([3600, -3600, 301, -301, 86_400 - 1])(
			'R11: stays stale when the clock is set by %d s',
			(step) => {
				const { by, isCurrent, passUntil } = fixture();
				passUntil(20);
				by[who]('one');
				passUntil(21);
				expect([isCurrent(ada, after(step)), isCurrent(ada, after(0))]).toEqual([false, false]);
			}
		);
	});

	test('is stale after the later of two changes', () => {
		const { tell, isCurrent, passUntil } = fixture();
		for (const second of [20, 30]) {
			passUntil(second);
			tell('ada');
		}
		expect(isCurrent(seen('one', 'ada', 25))).toBe(false);
	});

	test('is stale while changes may be missed, or if it was read before the feed recovered', () => {
		const { hearAgainSince, isCurrent } = fixture();
		hearAgainSince(null);
		expect(isCurrent(ada)).toBe(false);
		hearAgainSince(10.001);
		expect(isCurrent(ada)).toBe(false);
		hearAgainSince(10);
		expect(isCurrent(ada)).toBe(true);
	});

	test('R12: is stale once there were more changes than are recorded, for any account', () => {
		const { tell, isCurrent, passUntil } = fixture();
		passUntil(20);
		for (let i = 0; i <= MAX_RECENT_CHANGES; i += 1) tell(`${i}`);
		expect([isCurrent(ada), isCurrent(seen('two', 'grace', 20))]).toEqual([false, false]);
		expect(isCurrent(seen('one', 'ada', 20.001))).toBe(true);
		passUntil(21);
		tell('one');
		expect(isCurrent(seen('one', 'ada', 20.001))).toBe(false);
	});

	test('R12: as many changes as are recorded, repeated or not, leave the other entries current', () => {
		const { tell, isCurrent, passUntil } = fixture(3);
		passUntil(20);
		for (const id of ['one', 'two', 'three', 'one', 'two']) tell(id);
		expect([ada, seen('four', 'bob', 10)].map((entry) => isCurrent(entry))).toEqual([false, true]);
		tell('five');
		expect(isCurrent(seen('four', 'bob', 10))).toBe(false);
	});

	test('R12: after that the records start anew, so their number stays bounded', () => {
		const { tell, isCurrent, passUntil } = fixture(2);
		passUntil(20);
		for (const id of ['one', 'two', 'three']) tell(id);
		passUntil(21);
		tell('four');
		expect(isCurrent(seen('five', 'bob', 20.5))).toBe(true);
	});
});
