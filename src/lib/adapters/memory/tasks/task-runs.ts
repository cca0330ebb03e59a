import type { TaskRuns } from '#lib/domain/tasks/task-runs.ts';
import type { MemoryTables } from '../tables.ts';

export const memoryTaskRuns = ({ taskRuns }: MemoryTables): TaskRuns => ({
	claim: async (task, day) => {
		const key = JSON.stringify([task, day]);
		if (taskRuns.has(key)) return false;
		taskRuns.set(key, { task, day });
		for (const [other, run] of taskRuns) {
			if (run.task === task && run.day < day) taskRuns.delete(other);
		}
		return true;
	}
});
