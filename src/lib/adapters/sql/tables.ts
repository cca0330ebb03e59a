import type { Columns } from './columns.ts';
import { accountTables } from './account/tables.ts';
import { consentTables } from './consent/tables.ts';
import { outboxTables } from './delivery/tables.ts';
import { undoTables } from './email-change/tables.ts';
import { eventTables } from './events/tables.ts';
import { throttleTables } from './limits/tables.ts';
import { oidcTables } from './oidc/tables.ts';
import { purchaseTables } from './purchases/tables.ts';
import { sessionTables } from './sessions/tables.ts';
import { challengeTables } from './sign-in/tables.ts';

/**
 * Defines every table once, with the columns of either engine, each after the tables that it
 * references. The types are PostgreSQL's, and the columns of SQLite have the same ones.
 */
export const makeTables = (columns: Columns) => {
	const { userId, ...accounts } = accountTables(columns);
	const sessions = sessionTables(columns, userId);
	return {
		...accounts,
		...sessions,
		...challengeTables(columns, sessions),
		...undoTables(columns, userId),
		...consentTables(columns, userId),
		...eventTables(columns, userId),
		...throttleTables(columns),
		...outboxTables(columns),
		...purchaseTables(columns, userId),
		...oidcTables(columns, userId, sessions),
		...taskTables(columns)
	};
};

const taskTables = ({ table, text, primaryKey }: Columns) => ({
	taskRun: table('task_run', { task: text('task').notNull(), day: text('day').notNull() }, (t) => [
		primaryKey({ name: 'task_run_pk', columns: [t.task, t.day] })
	])
});

export type Tables = ReturnType<typeof makeTables>;
