import type { Columns } from '../columns.ts';

/** Tasks that all instances share. */
export const taskTables = ({ table, text, primaryKey }: Columns) => {
	/** Claimed daily tasks, one row per task and day. */
	const taskRun = table(
		'task_run',
		{ task: text('task').notNull(), day: text('day').notNull() },
		(t) => [primaryKey({ name: 'task_run_pk', columns: [t.task, t.day] })]
	);

	return { taskRun };
};
