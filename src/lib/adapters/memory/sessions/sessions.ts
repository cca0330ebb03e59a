import type { Sessions } from '#lib/domain/sessions/sessions.ts';
import { toSession, toUser } from '../rows.ts';
import { copy, firstOf, type MemoryTables } from '../tables.ts';
import { endSession, endSessions, revokeCodes } from './revocation.ts';

export const memorySessions = (tables: MemoryTables): Sessions => {
	const { users, sessions } = tables;
	return {
		find: async (tokenHash, now) => {
			const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
			if (row === undefined || row.expiresAt <= now) return null;
			const user = users.get(row.userId);
			return user?.deletedAt === null ? { user: toUser(user), session: toSession(row) } : null;
		},

		refresh: async (id, now, dueSince, expiresAt) => {
			const row = sessions.get(id);
			if (row === undefined || row.updatedAt > dueSince || row.expiresAt <= now) return null;
			const refreshed = copy({ ...row, updatedAt: now, expiresAt });
			sessions.set(id, refreshed);
			return toSession(refreshed);
		},

		listOf: async (userId, now) =>
			[...sessions.values()]
				.filter((row) => row.userId === userId && row.expiresAt > now)
				.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime() || (a.id < b.id ? 1 : -1))
				.map(toSession),

		end: async (tokenHash) => {
			const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
			return row === undefined ? null : endSession(tables, row.id);
		},

		endOne: async (userId, id) => {
			return sessions.get(id)?.userId === userId ? endSession(tables, id) : null;
		},

		endAll: async (userId, keep) => {
			const user = users.get(userId);
			if (user === undefined) return [];
			revokeCodes(tables, user.email);
			return endSessions(tables, userId, keep);
		},

		prune: async (now, limit) => {
			let removed = 0;
			for (const { id, expiresAt } of sessions.values()) {
				if (removed === limit) break;
				if (expiresAt > now) continue;
				endSession(tables, id);
				removed += 1;
			}
			return removed;
		}
	};
};
