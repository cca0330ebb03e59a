import { describe, expect, test } from 'vitest';
import { MAX_RECENT_CHANGES, recently } from '#lib/adapters/web/sessions/recent-changes.ts';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1) + seconds * 1000);

describe('R12: the record of recent changes', () => {
	test('keeps as many ids as it may, and drops none', () => {
		const record = recently<string>(300, 3);
		for (const id of ['a', 'b', 'c', 'a', 'b']) record.note(id, at(1));
		expect(['a', 'b', 'c'].map(record.lastOf)).toEqual(Array(3).fill(at(1).getTime()));
		expect(record.droppedUntil()).toBe(-Infinity);
	});

	test('drops all of them when there are more, and everything read until then may have changed', () => {
		const record = recently<string>(300, 3);
		for (const [second, id] of ['a', 'b', 'c', 'd'].entries()) record.note(id, at(second));
		expect(['a', 'b', 'c', 'd'].map(record.lastOf)).toEqual(Array(4).fill(null));
		expect(record.droppedUntil()).toBe(at(3).getTime());
	});

	test('counts from the latest change, whatever the order they were told in', () => {
		const record = recently<string>(300, 1);
		record.note('a', at(9));
		record.note('b', at(2));
		expect(record.droppedUntil()).toBe(at(9).getTime());
	});

	test('starts anew afterwards', () => {
		const record = recently<string>(300, 1);
		for (const id of ['a', 'b', 'c']) record.note(id, at(1));
		expect(record.lastOf('c')).toBe(at(1).getTime());
		expect(record.droppedUntil()).toBe(at(1).getTime());
	});

	test('ids whose time is up make room before any is dropped', () => {
		const record = recently<string>(300, 2);
		for (const [i, id] of ['a', 'b', 'c', 'd'].entries()) record.note(id, at(i * 300));
		expect(record.droppedUntil()).toBe(-Infinity);
	});

	test('never holds more than its bound, however long a flood lasts', () => {
		const record = recently<number>(300);
		const ids = Array.from({ length: 3 * MAX_RECENT_CHANGES }, (_, id) => id);
		for (const id of ids) record.note(id, at(id / 10_000));
		const known = ids.filter((id) => record.lastOf(id) !== null);
		expect(known.length).toBeLessThanOrEqual(MAX_RECENT_CHANGES);
	});
});
