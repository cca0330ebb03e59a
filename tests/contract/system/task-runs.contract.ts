import { expect, it } from 'vitest';
import { raceTaskRuns } from '../account/account-races.ts';
import { rounds } from '../stores/examples.ts';
import { storeContract } from '../stores/suite.ts';

export const taskRunsContract = storeContract('task runs', (backing) => {
	const claim = (task: string, day: string) => backing.stores.taskRuns.claim(task, day);

	it('the first claim of a task on a day is true, and every other false', async () => {
		expect(await claim('purge', '2026-03-29')).toBe(true);
		expect(await claim('purge', '2026-03-29')).toBe(false);
		expect(await claim('purge', '2026-03-29')).toBe(false);
	});

	it('every task and every day is claimed separately', async () => {
		expect(await claim('purge', '2026-03-29')).toBe(true);
		expect(await claim('prune', '2026-03-29')).toBe(true);
		expect(await claim('purge', '2026-03-30')).toBe(true);
		expect(await claim('prune', '2026-03-29')).toBe(false);
		expect(await claim('purge', '2026-03-30')).toBe(false);
	});

	it('a claim of one instance counts for all', async () => {
		const claimed: boolean[] = [];
		for (const { taskRuns } of backing.instances) {
			claimed.push(await taskRuns.claim('purge', '2026-03-29'));
		}
		expect(claimed.filter(Boolean)).toHaveLength(1);
	});

	it('of 50 concurrent claims exactly one is true', async () => {
		for (let round = 0; round < rounds(3, 50); round += 1) {
			expect(await raceTaskRuns(backing.instances, 20)).toEqual({ claimed: 1, failed: 0 });
		}
	});

	it('claims of the task for earlier days are removed, those of other tasks stay', async () => {
		await claim('prune', '2025-12-31');
		await claim('purge', '2025-12-31');
		await claim('purge', '2026-01-01');
		expect(await backing.rows('taskRuns')).toBe(2);
		await claim('purge', '2026-01-02');
		expect(await backing.rows('taskRuns')).toBe(2);
		expect(await claim('prune', '2025-12-31')).toBe(false);
	});

	it('a late claim removes nothing', async () => {
		await claim('purge', '2026-03-28');
		await claim('purge', '2026-03-28');
		expect(await backing.rows('taskRuns')).toBe(1);
		expect(await claim('purge', '2026-03-28')).toBe(false);
	});

	it('M13: after a clock that was ahead is set back a day can be claimed, once, and later ones stay claimed', async () => {
		await claim('purge', '2027-03-29');
		expect(await claim('purge', '2026-03-29')).toBe(true);
		expect(await claim('purge', '2026-03-29')).toBe(false);
		expect(await claim('purge', '2026-03-30')).toBe(true);
		expect(await claim('purge', '2027-03-29')).toBe(false);
	});
});
