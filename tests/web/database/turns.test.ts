import { describe, expect, test } from 'vitest';
import { makeTurns } from '#lib/adapters/sql/limits/turns.ts';

/** Work that ends when the test says so, and a log of what began. */
const aStage = () => {
	const turns = makeTurns();
	const begun: string[] = [];
	const ends = new Map<string, (error?: Error) => void>();
	const start = (key: string, name: string): Promise<string> =>
		turns(key, () => {
			begun.push(name);
			return new Promise((resolve, reject) => {
				ends.set(name, (error) => (error === undefined ? resolve(name) : reject(error)));
			});
		});
	return { begun, start, end: (name: string, error?: Error) => ends.get(name)?.(error) };
};

describe('turns', () => {
	test('work for one key runs one at a time, in order, and work for other keys does not wait', async () => {
		const { begun, start, end } = aStage();
		const [one, two, three] = [start('a', 'one'), start('a', 'two'), start('a', 'three')];
		const other = start('b', 'other');
		expect(begun).toEqual(['one', 'other']);
		end('one');
		expect(await one).toBe('one');
		await Promise.resolve();
		expect(begun).toEqual(['one', 'other', 'two']);
		end('two');
		await two;
		await Promise.resolve();
		end('three');
		end('other');
		expect([await three, await other]).toEqual(['three', 'other']);
	});

	test('work that fails ends the work that waits for it, and no later work', async () => {
		const { begun, start, end } = aStage();
		const [first, second, third] = [start('a', 'first'), start('a', 'second'), start('a', 'third')];
		end('first', new Error('broken'));
		for (const failed of [first, second, third]) await expect(failed).rejects.toThrow('broken');
		expect(begun).toEqual(['first']);
		const later = start('a', 'later');
		end('later');
		expect(await later).toBe('later');
	});
});
