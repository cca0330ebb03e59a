import type { Action, NotDone, Operators } from '#lib/domain/operators/ports.ts';
import { endSessions, revokeCodes } from './sessions.ts';
import { copy, type MemoryTables, type UserRow } from './tables.ts';

export const memoryOperators = (tables: MemoryTables): Operators => {
	const { users } = tables;
	const acting = <T>(
		{ userId, mayBeOperator }: Action,
		work: (row: UserRow) => T | NotDone
	): T | NotDone => {
		const row = users.get(userId);
		if (row === undefined) return 'gone';
		return row.role !== null && !mayBeOperator ? 'is_operator' : work(row);
	};
	const set = (row: UserRow, { now }: Action, change: Partial<UserRow>): void => {
		users.set(row.id, copy({ ...row, ...change, updatedAt: now }));
	};
	return {
		block: async (action) =>
			acting(action, (row) => {
				if (row.blockedAt !== null) return 'unchanged';
				set(row, action, { blockedAt: action.now });
				revokeCodes(tables, row.email);
				return endSessions(tables, row.id, null);
			}),

		unblock: async (action) =>
			acting(action, (row) => {
				if (row.blockedAt === null) return 'unchanged';
				set(row, action, { blockedAt: null });
				return row.id;
			})
	};
};
