import { and, eq, lt } from 'drizzle-orm';
import type { TaskRuns } from '#lib/domain/tasks/ports.ts';
import { rowsOf, type Sql } from './sql.ts';

export const sqlTaskRuns = ({ tables, transaction }: Sql): TaskRuns => {
	const t = tables.taskRun;
	return {
		// The primary key decides: this insert waits for a concurrent claim and then finds it.
		claim: (task, day) =>
			transaction(function* (tx) {
				const [claimed] = yield* rowsOf(
					tx.insert(t).values({ task, day }).onConflictDoNothing().returning({ day: t.day })
				);
				if (claimed === undefined) return false;
				yield tx.delete(t).where(and(eq(t.task, task), lt(t.day, day)));
				return true;
			})
	};
};
