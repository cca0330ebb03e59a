import { describe, expect, it } from 'vitest';
import type { Background } from '#lib/domain/background.ts';

export interface OpenedBackground {
	readonly background: Background;
	/** Waits until nothing is pending. */
	readonly settled: () => Promise<void>;
	/** The names under which failures were logged, with what was logged. */
	readonly logged: () => readonly { readonly name: string; readonly error: unknown }[];
}

export const backgroundContract = (name: string, open: () => OpenedBackground): void => {
	describe(`a background (${name})`, () => {
		it('runs work once, soon, also when no caller waits for it', async () => {
			const { background, settled } = open();
			let runs = 0;
			await new Promise<void>((resolve) =>
				background.run('count', async () => {
					runs += 1;
					resolve();
				})
			);
			await settled();
			await settled();
			expect(runs).toBe(1);
		});

		it('returns without waiting, before the work has begun', async () => {
			const { background, settled } = open();
			const order: string[] = [];
			background.run('slow', async () => {
				order.push('work');
			});
			order.push('answer');
			await settled();
			expect(order).toEqual(['answer', 'work']);
		});

		it('logs a failure under its name and does not throw it', async () => {
			const { background, settled, logged } = open();
			const error = new Error('no');
			background.run('rejects', () => Promise.reject(error));
			background.run('throws', () => {
				throw error;
			});
			await settled();
			expect([...logged()].sort((a, b) => a.name.localeCompare(b.name))).toEqual([
				{ name: 'rejects', error },
				{ name: 'throws', error }
			]);
		});

		it('runs other work after a failure', async () => {
			const { background, settled } = open();
			let ran = false;
			background.run('fails', () => Promise.reject(new Error('no')));
			await settled();
			background.run('works', async () => {
				ran = true;
			});
			await settled();
			expect(ran).toBe(true);
		});

		it('logs nothing on success', async () => {
			const { background, settled, logged } = open();
			background.run('works', async () => undefined);
			await settled();
			expect(logged()).toEqual([]);
		});

		it('runs a piece of a long task immediately and returns its result', async () => {
			const { background } = open();
			const order: string[] = [];
			const given = background.paced(async () => {
				order.push('piece');
				return 7;
			});
			order.push('asked');
			expect(await given).toBe(7);
			expect(order).toEqual(['piece', 'asked']);
		});

		it('a failed piece throws to its caller, and nothing is logged', async () => {
			const { background, settled, logged } = open();
			const error = new Error('no');
			await expect(background.paced(() => Promise.reject(error))).rejects.toBe(error);
			await settled();
			expect(logged()).toEqual([]);
		});

		it('waits also for work that began while waiting', async () => {
			const { background, settled } = open();
			const order: string[] = [];
			background.run('first', async () => {
				order.push('first');
				background.run('second', async () => {
					order.push('second');
				});
			});
			await settled();
			expect(order).toEqual(['first', 'second']);
		});
	});
};
