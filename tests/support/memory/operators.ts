import { mailboxOf } from '#lib/domain/limits/mailbox.ts';
import type { Action, ManagedAccount, NotDone, Operators } from '#lib/domain/operators/ports.ts';
import { memoryAccounts } from './accounts.ts';
import { completeChange } from './email-changes.ts';
import { recordEvent } from './events.ts';
import { memorySessions } from './sessions.ts';
import { copy, firstOf, toUser, type MemoryTables, type UserRow } from './tables.ts';

const toManaged = (row: UserRow): ManagedAccount => {
	const { deletedAt, blockedAt, role } = copy(row);
	return { user: toUser(row), deletedAt, blockedAt, role };
};

export const memoryOperators = (tables: MemoryTables): Operators => {
	const { users, throttle } = tables;
	const accounts = memoryAccounts(tables);
	const sessions = memorySessions(tables);
	const acting = async <T>(
		{ userId, mayBeOperator }: Action,
		work: (row: UserRow) => Promise<T | NotDone>
	): Promise<T | NotDone> => {
		const row = users.get(userId);
		if (row === undefined) return 'gone';
		return row.role !== null && !mayBeOperator ? 'is_operator' : work(row);
	};
	const set = (row: UserRow, { now }: Action, change: Partial<UserRow>): void => {
		users.set(row.id, copy({ ...row, ...change, updatedAt: now }));
	};
	return {
		isOperator: async (id) => {
			const row = users.get(id);
			return row?.role === 'operator' && row.deletedAt === null && row.blockedAt === null;
		},

		setRole: async (email, role, now) => {
			const row = firstOf(users, (one) => one.email === email && one.deletedAt === null);
			if (row === undefined) return 'gone';
			if (row.role === role) return 'unchanged';
			users.set(row.id, copy({ ...row, role, updatedAt: now }));
			recordEvent(tables, role === null ? 'role_revoked' : 'role_granted', row.id);
			return row.id;
		},

		list: async ({ prefix, after, limit }) =>
			[...users.values()]
				.filter(({ email }) => email.startsWith(prefix) && (after === null || email > after))
				.sort((a, b) => (a.email < b.email ? -1 : 1))
				.slice(0, limit)
				.map(toManaged),

		find: async (id) => {
			const row = users.get(id);
			return row === undefined ? null : toManaged(row);
		},

		sendsOf: async ({ user: { id, email } }) =>
			copy({
				mailbox: throttle.get(mailboxOf(email))?.sentAt ?? [],
				devices: throttle.get(id)?.sentAt ?? [],
				wrongGuesses: throttle.get(email)?.failures ?? 0
			}),

		endSessions: (action, session) =>
			acting(action, async ({ id }) => {
				if (session === null) return sessions.endAll(id, null);
				const ended = await sessions.endOne(id, session);
				return ended === null ? 'unchanged' : [ended];
			}),

		block: (action) =>
			acting(action, async (row) => {
				if (row.blockedAt !== null) return 'unchanged';
				set(row, action, { blockedAt: action.now });
				recordEvent(tables, 'blocked', row.id);
				return sessions.endAll(row.id, null);
			}),

		unblock: (action) =>
			acting(action, async (row) => {
				if (row.blockedAt === null) return 'unchanged';
				set(row, action, { blockedAt: null });
				recordEvent(tables, 'unblocked', row.id);
				return row.id;
			}),

		delete: (action, emails) =>
			acting(
				action,
				async ({ id }) => (await accounts.delete(id, action.now, emails)) ?? 'unchanged'
			),

		restore: (action) =>
			acting(action, async (row) => {
				if (row.deletedAt === null) return 'unchanged';
				set(row, action, { deletedAt: null });
				recordEvent(tables, 'restored', row.id);
				return row.id;
			}),

		changeEmail: async (change, now) => completeChange(tables, { ...change, keep: null }, now)
	};
};
