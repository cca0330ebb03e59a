import { and, eq } from 'drizzle-orm';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { TaskRuns } from '#lib/domain/tasks/ports.ts';

/** Reads whether the day was claimed, then claims it. */
export const naiveTaskRuns = ({ db, tables, run }: Sql): TaskRuns => {
	const t = tables.taskRun;
	return {
		claim: async (task, day) => {
			const claimed = await run(() =>
				db
					.select()
					.from(t)
					.where(and(eq(t.task, task), eq(t.day, day)))
			);
			if (claimed.length > 0) return false;
			await run(() => db.insert(t).values({ task, day }).onConflictDoNothing().returning());
			return true;
		}
	};
};
