import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { BUDGET, fairTurns } from '#lib/adapters/web/limits/fair-turns.ts';

describe('work in turns of the event loop', () => {
	test('R01 takes no more than its budget per turn, and continues in the next', async () => {
		let now = 0;
		const turns = fairTurns(() => now);
		const done: number[] = [];
		for (const number of [1, 2, 3]) {
			turns.add(() => {
				now += BUDGET;
				done.push(number);
			});
		}
		expect(done).toEqual([]);
		await nextTurn();
		expect(done).toEqual([1]);
		await nextTurn();
		expect(done).toEqual([1, 2]);
		await nextTurn();
		expect(done).toEqual([1, 2, 3]);
	});

	test('R01 work that adds itself again lets all other work run first', async () => {
		let now = 0;
		const turns = fairTurns(() => now);
		const done: string[] = [];
		const greedy = (): void => {
			now += BUDGET;
			done.push('greedy');
			if (done.length < 4) turns.add(greedy);
		};
		turns.add(greedy);
		turns.add(() => done.push('modest'));
		while (done.length < 4) await nextTurn();
		expect(done).toEqual(['greedy', 'modest', 'greedy', 'greedy']);
	});

	test('an error of one piece of work does not stop the others', () => {
		const planned: (() => void)[] = [];
		const done: string[] = [];
		const turns = fairTurns(
			() => 0,
			(work) => planned.push(work)
		);
		turns.add(() => {
			throw new Error('planted');
		});
		turns.add(() => done.push('next'));
		expect(() => planned.shift()?.()).toThrow('planted');
		planned.shift()?.();
		expect(done).toEqual(['next']);
	});

	test('runs work once that is added twice before its turn', async () => {
		const turns = fairTurns(() => 0);
		let runs = 0;
		const work = (): void => void (runs += 1);
		turns.add(work);
		turns.add(work);
		await nextTurn();
		await nextTurn();
		expect(runs).toBe(1);
	});
});
