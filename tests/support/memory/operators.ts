import { mailboxOf } from '#lib/domain/limits/throttle-send.ts';
import { decideAction, endsAllSessions } from '#lib/domain/operators/decide-action.ts';
import type { Operators } from '#lib/domain/operators/ports.ts';
import { recordEvent } from './events.ts';
import { addMails } from './outbox.ts';
import { deleteSessionsExcept, memorySessions, revokeCodes } from './sessions.ts';
import { copy, rowsOf, type MemoryTables } from './tables.ts';

export const memoryOperators = (tables: MemoryTables): Operators => {
	const { users, throttle } = tables;
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

		act: async (action, now, mails = []) => {
			const { verb, userId, session = null } = action;
			const row = users.get(userId);
			if (row === undefined) return 'gone';
			const decided = decideAction(row, action, now);
			if (typeof decided === 'string') return decided;
			if (decided !== null) {
				addMails(tables, mails);
				users.set(userId, copy({ ...row, ...decided.change, updatedAt: now }));
				recordEvent(tables, decided.event, userId);
			}
			if (verb === 'end_sessions' && session !== null) {
				const one = await sessions.endOne(userId, session);
				return one === null ? 'unchanged' : [one];
			}
			if (!endsAllSessions(action)) return [];
			revokeCodes(tables, row.email);
			return deleteSessionsExcept(tables, userId, null, verb === 'block' ? 'block' : 'other');
		}
	};
};
