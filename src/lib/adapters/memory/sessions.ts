import type { Sessions } from '#lib/domain/ports/sessions.ts';
import type { Session } from '#lib/domain/session.ts';
import { copy, firstOf, removeSome, type MemoryTables, type SessionRow } from './tables.ts';

export const toSession = ({ tokenHash: _, ...session }: SessionRow): Session => copy(session);

export const memorySessions = ({ users, sessions }: MemoryTables): Sessions => ({
	find: async (tokenHash, now) => {
		const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
		if (row === undefined || row.expiresAt <= now) return null;
		const user = users.get(row.userId);
		return user === undefined ? null : { user: copy(user), session: toSession(row) };
	},

	refresh: async (id, now, dueSince, expiresAt) => {
		const row = sessions.get(id);
		if (row === undefined || row.updatedAt > dueSince || row.expiresAt <= now) return null;
		const refreshed = copy({ ...row, updatedAt: now, expiresAt });
		sessions.set(id, refreshed);
		return toSession(refreshed);
	},

	end: async (tokenHash) => {
		const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
		if (row === undefined) return null;
		sessions.delete(row.id);
		return row.id;
	},

	prune: async (now, limit) => removeSome(sessions, (row) => row.expiresAt <= now, limit)
});
