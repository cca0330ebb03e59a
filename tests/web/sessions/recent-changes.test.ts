import { describe, expect, test } from 'vitest';
import {
	recentChanges,
	type RecentChanges
} from '#lib/adapters/web/edge/session/cache-validity.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);
/** A change at this second of the clock, recorded in the same second of monotonic time. */
const recordIn =
	(changes: RecentChanges<string>) =>
	(id: string, seconds: number): void =>
		changes.record(id, at(seconds), seconds * 1000);
const changedAt = (seconds: number): object => ({
	at: at(seconds).getTime(),
	monotonicMs: seconds * 1000
});
const NOTHING = { at: -Infinity, monotonicMs: -Infinity };

describe('R12: the record of recent changes', () => {
	test('keeps ids up to its bound, and drops none', () => {
		const changes = recentChanges<string>(3);
		for (const id of ['a', 'b', 'c', 'a', 'b']) recordIn(changes)(id, 1);
		expect(['a', 'b', 'c'].map(changes.lastOf)).toEqual(Array(3).fill(changedAt(1)));
		expect(changes.droppedUntil()).toEqual(NOTHING);
	});

	test('drops all ids above its bound, and then every earlier entry counts as changed', () => {
		const changes = recentChanges<string>(3);
		for (const [second, id] of ['a', 'b', 'c', 'd'].entries()) recordIn(changes)(id, second);
		expect(['a', 'b', 'c', 'd'].map(changes.lastOf)).toEqual(Array(4).fill(null));
		expect(changes.droppedUntil()).toEqual(changedAt(3));
	});

	test('counts from the latest change, in any order of arrival', () => {
		const changes = recentChanges<string>(1);
		changes.record('a', at(9), 1);
		changes.record('b', at(2), 2);
		expect(changes.droppedUntil()).toEqual({ at: at(9).getTime(), monotonicMs: 2 });
	});

	test('is empty after it dropped its ids, and keeps the next one', () => {
		const changes = recentChanges<string>(1);
		for (const id of ['a', 'b', 'c']) recordIn(changes)(id, 1);
		expect(changes.lastOf('c')).toEqual(changedAt(1));
		expect(changes.droppedUntil()).toEqual(changedAt(1));
	});
});
