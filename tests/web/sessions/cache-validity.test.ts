import { describe, expect, test } from 'vitest';
import {
	cacheValidity,
	MAX_RECENT_CHANGES,
	type SeenSession
} from '#lib/adapters/web/edge/session/cache-validity.ts';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { StoreChange } from '#lib/domain/sessions/ports.ts';

const start = new Date('2026-01-01T00:00:00Z');
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);

const seen = (session: string, user: string, readAt: Date, seconds?: number): SeenSession => ({
	readAt,
	...(seconds !== undefined && { monotonicMs: seconds * 1000 }),
	user: {
		id: user as UserId,
		email: 'ada@example.com' as Email,
		emailVerified: true,
		name: '',
		image: null,
		createdAt: start,
		updatedAt: start
	},
	session: {
		id: session as SessionId,
		userId: user as UserId,
		expiresAt: after(86_400),
		createdAt: start,
		updatedAt: start,
		ipAddress: '127.0.0.1',
		userAgent: ''
	}
});

const fixture = () => {
	let since: Date | null = start;
	let sinceMonotonicMs = 0;
	let monotonicMs = 0;
	let tell: (change: StoreChange) => void = () => {};
	const tested = cacheValidity(
		{
			subscribe: (listener) => (tell = listener),
			reliableSince: () => since && { at: since, monotonicMs: sinceMonotonicMs }
		},
		() => monotonicMs
	);
	return {
		...tested,
		tell: (change: StoreChange) => tell(change),
		/** Seconds of monotonic time, whatever the clock shows. */
		pass: (seconds: number) => (monotonicMs += seconds * 1000),
		hearAgainSince: (instant: Date | null) => {
			since = instant;
			sinceMonotonicMs = monotonicMs;
		}
	};
};

/** More changes than the record can hold. */
const floodOf = (kind: StoreChange['kind'], at: Date): readonly StoreChange[] =>
	Array.from(
		{ length: MAX_RECENT_CHANGES + 1 },
		(_, i) => ({ kind, id: `${i}`, at }) as StoreChange
	);

const ada = seen('one', 'ada', after(10));
const [one, two] = ['one' as SessionId, 'two' as SessionId];

describe('a cached entry', () => {
	test('is current while no change is known', () => {
		expect(fixture().isCurrent(ada)).toBe(true);
	});

	test('E06: is stale once the session ended in this process, and for ever', () => {
		const { sessionsEnded, isCurrent, pass } = fixture();
		sessionsEnded([one, two], after(20));
		expect(isCurrent(ada)).toBe(false);
		expect(isCurrent(seen('three', 'ada', after(10)))).toBe(true);
		pass(304.9);
		sessionsEnded(['four' as SessionId], after(319));
		// Also entries that were read later: an ended session never comes back.
		expect(isCurrent(seen('one', 'ada', after(318)))).toBe(false);
	});

	test('E06: is stale once another process ended the session', () => {
		const { tell, isCurrent } = fixture();
		tell({ kind: 'session_ended', id: one, at: after(20) });
		expect([isCurrent(ada), isCurrent(seen('two', 'ada', after(10)))]).toEqual([false, true]);
	});

	test.each(['this process', 'another'])('is stale once %s changed the account after it', (by) => {
		const { tell, accountsChanged, isCurrent } = fixture();
		const id = 'ada' as UserId;
		if (by === 'another') tell({ kind: 'account_changed', id, at: after(20) });
		else accountsChanged([id], after(20));
		expect(isCurrent(ada)).toBe(false);
		// At the same instant, the read may have been before or after.
		expect(isCurrent(seen('one', 'ada', after(20)))).toBe(false);
		expect(isCurrent(seen('one', 'ada', after(21)))).toBe(true);
		expect(isCurrent(seen('two', 'grace', after(10)))).toBe(true);
	});

	test('is stale after the later of two changes, in either order of arrival', () => {
		const { tell, accountsChanged, isCurrent } = fixture();
		const id = 'ada' as UserId;
		tell({ kind: 'account_changed', id, at: after(20.5) });
		accountsChanged([id], after(20));
		expect(isCurrent(seen('one', 'ada', after(20.2)))).toBe(false);
	});

	describe.each([
		['by this process', 'own'],
		['by another process', 'others']
	] as const)('R11: read %s, when the clock is set', (_, whose) => {
		const HOUR = 3600;
		/** Read at this monotonic second, when the clock was this far ahead. */
		const readAt = (second: number, ahead = 0) =>
			seen('one', 'ada', after(second + ahead), whose === 'own' ? second : undefined);

		test.each([HOUR, -HOUR, 301, -301, 86_400])(
			'an ended session stays ended: the clock moves by %d s after its end, others end, and it moves back',
			(step) => {
				const { sessionsEnded, isCurrent, pass } = fixture();
				pass(20);
				const entry = readAt(10);
				sessionsEnded([one], after(20));
				pass(1);
				for (const id of ['x', 'y']) sessionsEnded([id as SessionId], after(21 + step));
				sessionsEnded(['z' as SessionId], after(22));
				expect(isCurrent(entry)).toBe(false);
			}
		);

		test.each([HOUR, -HOUR])(
			'a changed account stays changed: the clock moves by %d s after the change and back',
			(step) => {
				const { accountsChanged, isCurrent, pass } = fixture();
				pass(20);
				accountsChanged(['ada' as UserId], after(20));
				pass(1);
				for (const id of ['x', 'y']) accountsChanged([id as UserId], after(21 + step));
				accountsChanged(['z' as UserId], after(22));
				expect(isCurrent(readAt(10))).toBe(false);
			}
		);

		test('an entry read while the clock was ahead is not believed over a later end', () => {
			const { sessionsEnded, isCurrent, pass } = fixture();
			pass(10);
			const entry = readAt(10, HOUR);
			pass(10);
			sessionsEnded([one], after(20));
			expect(isCurrent(entry)).toBe(false);
		});
	});

	test('R11: an entry that this process read while the clock was ahead is stale after a change, and 300 s later', () => {
		const { accountsChanged, isCurrent, pass } = fixture();
		pass(10);
		const entry = seen('one', 'ada', after(10 + 3600), 10);
		expect(isCurrent(entry)).toBe(true);
		pass(299.9);
		expect(isCurrent(entry)).toBe(true);
		accountsChanged(['ada' as UserId], after(20));
		expect(isCurrent(entry)).toBe(false);
		const other = seen('two', 'grace', after(3600), 10);
		expect(isCurrent(other)).toBe(true);
		pass(0.1);
		// Only now may the clock reach the time of the entry.
		expect(isCurrent(other)).toBe(false);
	});

	test('R11: an entry that this process read before the feed recovered is stale, at any clock time', () => {
		const { hearAgainSince, isCurrent, pass } = fixture();
		pass(10);
		const entry = seen('one', 'ada', after(10 + 3600), 9);
		hearAgainSince(after(10));
		expect(isCurrent(entry)).toBe(false);
		expect(isCurrent(seen('one', 'ada', after(-3600), 10))).toBe(true);
	});

	test('is stale while changes may be missed, or if it was read before the feed recovered', () => {
		const { hearAgainSince, isCurrent } = fixture();
		hearAgainSince(null);
		expect(isCurrent(ada)).toBe(false);
		hearAgainSince(after(10));
		expect(isCurrent(ada)).toBe(false);
		expect(isCurrent(seen('one', 'ada', after(10.001)))).toBe(true);
	});

	test.each(['session_ended', 'account_changed'] as const)(
		'R12: is stale once there were more changes (%s) than are recorded, for any account',
		(kind) => {
			const { tell, isCurrent } = fixture();
			for (const change of floodOf(kind, after(20))) tell(change);
			expect([isCurrent(ada), isCurrent(seen('two', 'grace', after(20)))]).toEqual([false, false]);
			expect(isCurrent(seen('one', 'ada', after(20.001)))).toBe(true);
			tell({ kind: 'session_ended', id: one, at: after(21) });
			expect(isCurrent(seen('one', 'ada', after(20.001)))).toBe(false);
		}
	);
});
