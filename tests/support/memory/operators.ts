import type { Account } from '#lib/domain/account/ports.ts';
import type { EventKind } from '#lib/domain/events/ports.ts';
import { mailboxOf } from '#lib/domain/limits/throttle-send.ts';
import type { Operators } from '#lib/domain/operators/ports.ts';
import { memoryAccounts } from './accounts.ts';
import { completeChange } from './email-changes.ts';
import { recordEvent } from './events.ts';
import { deleteSessionsExcept, memorySessions, revokeCodes } from './sessions.ts';
import { copy, rowsOf, type MemoryTables } from './tables.ts';

export const memoryOperators = (tables: MemoryTables): Operators => {
	const { users, throttle } = tables;
	const accounts = memoryAccounts(tables);
	const sessions = memorySessions(tables);
	return {
		isOperator: async (id) => {
			const row = users.get(id);
			return row?.role === 'operator' && row.deletedAt === null && row.blockedAt === null;
		},

		list: async ({ prefix, after, limit }) =>
			rowsOf(users, ({ email }) => email.startsWith(prefix) && (after === null || email > after))
				.sort((a, b) => (a.email < b.email ? -1 : 1))
				.slice(0, limit)
				.map(copy),

		find: async (id) => {
			const row = users.get(id);
			return row === undefined ? null : copy(row);
		},

		sendsOf: async ({ id, email }) =>
			copy({
				mailbox: throttle.get(mailboxOf(email))?.sentAt ?? [],
				devices: throttle.get(id)?.sentAt ?? [],
				wrongCodes: throttle.get(email)?.wrongCodes ?? 0
			}),

		act: async ({ verb, userId, mayBeOperator, email, session = null }, now, mails = []) => {
			const row = users.get(userId);
			if (row === undefined || (email !== undefined && row.email !== email)) return 'gone';
			if (row.role !== null && !mayBeOperator) return 'is_operator';
			const set = (change: Partial<Account>, kind: EventKind): void => {
				users.set(userId, copy({ ...row, ...change, updatedAt: now }));
				recordEvent(tables, kind, userId);
			};
			switch (verb) {
				case 'end_sessions': {
					if (session === null) return sessions.endAllExcept(userId, null);
					const ended = await sessions.endOne(userId, session);
					return ended === null ? 'unchanged' : [ended];
				}
				case 'block':
					if (row.blockedAt !== null) return 'unchanged';
					set({ blockedAt: now }, 'blocked');
					revokeCodes(tables, row.email);
					return deleteSessionsExcept(tables, userId, null, 'block');
				case 'unblock':
					if (row.blockedAt === null) return 'unchanged';
					set({ blockedAt: null }, 'unblocked');
					return [];
				case 'delete':
					return (await accounts.delete(userId, now, mails)) ?? 'unchanged';
				case 'restore':
					if (row.deletedAt === null) return 'unchanged';
					set({ deletedAt: null }, 'restored');
					return [];
				case 'grant':
				case 'revoke': {
					const role = verb === 'grant' ? 'operator' : null;
					if (row.deletedAt !== null) return 'gone';
					if (row.role === role) return 'unchanged';
					set({ role }, role === null ? 'role_revoked' : 'role_granted');
					return [];
				}
			}
		},

		changeEmail: async (change, now) => completeChange(tables, { ...change, keep: null }, now)
	};
};
