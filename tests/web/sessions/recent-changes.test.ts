import { describe, expect, test } from 'vitest';
import {
	MAX_RECENT_CHANGES,
	recentChanges,
	type RecentChanges
} from '#lib/adapters/web/edge/session/cache-validity.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
/** A change at this second of the clock, noted in the same second of monotonic time. */
const noteIn =
	<Id extends string | number>(record: RecentChanges<Id>) =>
	(id: Id, seconds: number): void =>
		record.note(id, at(seconds), seconds * 1000);
const changedAt = (seconds: number): object => ({
	at: at(seconds).getTime(),
	monotonicMs: seconds * 1000
});
const NOTHING = { at: -Infinity, monotonicMs: -Infinity };

describe('R12: the record of recent changes', () => {
	test('keeps ids up to its bound, and drops none', () => {
		const record = recentChanges<string>(300, 3);
		for (const id of ['a', 'b', 'c', 'a', 'b']) noteIn(record)(id, 1);
		expect(['a', 'b', 'c'].map(record.lastOf)).toEqual(Array(3).fill(changedAt(1)));
		expect(record.droppedUntil()).toEqual(NOTHING);
	});

	test('drops all ids above its bound, and then every earlier entry counts as changed', () => {
		const record = recentChanges<string>(300, 3);
		for (const [second, id] of ['a', 'b', 'c', 'd'].entries()) noteIn(record)(id, second);
		expect(['a', 'b', 'c', 'd'].map(record.lastOf)).toEqual(Array(4).fill(null));
		expect(record.droppedUntil()).toEqual(changedAt(3));
	});

	test('counts from the latest change, in any order of arrival', () => {
		const record = recentChanges<string>(300, 1);
		record.note('a', at(9), 1);
		record.note('b', at(2), 2);
		expect(record.droppedUntil()).toEqual({ at: at(9).getTime(), monotonicMs: 2 });
	});

	test('is empty after it dropped its ids, and keeps the next one', () => {
		const record = recentChanges<string>(300, 1);
		for (const id of ['a', 'b', 'c']) noteIn(record)(id, 1);
		expect(record.lastOf('c')).toEqual(changedAt(1));
		expect(record.droppedUntil()).toEqual(changedAt(1));
	});

	test('expired ids make room before any is dropped', () => {
		const record = recentChanges<string>(300, 2);
		for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) noteIn(record)(id, i * 300);
		expect(record.droppedUntil()).toEqual(NOTHING);
	});

	test('R11: expires by monotonic time, however the clock is set meanwhile', () => {
		const record = recentChanges<string>(300);
		record.note('a', at(0), 0);
		for (const seconds of [86_400, -86_400, 3600]) record.note('b', at(seconds), 299_999);
		expect(record.lastOf('a')).toEqual({ at: at(0).getTime(), monotonicMs: 0 });
		record.note('b', at(1), 300_000);
		expect(record.lastOf('a')).toBeNull();
	});

	test('drops none when every id of a full record is noted again', () => {
		const record = recentChanges<number>(300);
		const ids = Array.from({ length: MAX_RECENT_CHANGES }, (_, id) => id);
		for (let round = 0; round < 4; round += 1) for (const id of ids) noteIn(record)(id, round);
		expect(record.droppedUntil()).toEqual(NOTHING);
		expect(ids.every((id) => record.lastOf(id)?.monotonicMs === 3000)).toBe(true);
	});

	test('never holds more than its bound, for a flood of any length', () => {
		const record = recentChanges<number>(300);
		const ids = Array.from({ length: 3 * MAX_RECENT_CHANGES }, (_, id) => id);
		for (const id of ids) noteIn(record)(id, id / 10_000);
		const known = ids.filter((id) => record.lastOf(id) !== null);
		expect(known.length).toBeLessThanOrEqual(MAX_RECENT_CHANGES);
	});
});
