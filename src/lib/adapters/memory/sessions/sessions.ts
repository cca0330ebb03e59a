import type { UserId } from '#lib/domain/ids.ts';
import type { Sessions } from '#lib/domain/sessions/sessions.ts';
import { placeDevice } from '../devices/place-device.ts';
import { toSession, toUser } from '../rows.ts';
import { copy, firstOf, type MemoryTables, type SessionRow } from '../tables.ts';
import { endSession, endSessions, revokeCodes } from './revocation.ts';

/** The sessions of an account that match. */
export const lastUsedFirst = (
	{ sessions }: MemoryTables,
	userId: UserId,
	isMeant: (row: SessionRow) => boolean
): readonly SessionRow[] =>
	[...sessions.values()]
		.filter((row) => row.userId === userId && isMeant(row))
		.sort((a, b) => b.updatedAt.getTime() - a.updatedAt.getTime() || (a.id < b.id ? 1 : -1));

export const memorySessions = (tables: MemoryTables): Sessions => {
	const { users, sessions, devices } = tables;
	const live = (userId: UserId, now: Date) =>
		lastUsedFirst(tables, userId, ({ expiresAt }) => expiresAt > now);
	return {
		find: async (tokenHash, now) => {
			const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
			if (row === undefined || row.expiresAt <= now) return null;
			const user = users.get(row.userId);
			return user?.deletedAt === null ? { user: toUser(user), session: toSession(row) } : null;
		},

		refresh: async (id, now, dueSince, expiresAt, device = null) => {
			const row = sessions.get(id);
			if (row === undefined || row.updatedAt > dueSince || row.expiresAt <= now) return null;
			const placed = device && placeDevice(tables, device.userId, device.change, row.deviceId);
			const deviceId = placed ? placed.id : row.deviceId;
			const refreshed = copy({ ...row, updatedAt: now, expiresAt, deviceId });
			sessions.set(id, refreshed);
			return { session: toSession(refreshed), usesNewKey: placed !== null && !placed.keptKey };
		},

		listOf: async (userId, now) => live(userId, now).map(toSession),

		rangeOf: async (userId, now, { first, skip, limit }) =>
			live(userId, now)
				.toSorted((a, b) => Number(b.id === first) - Number(a.id === first))
				.slice(skip, skip + limit)
				.map(toSession),

		countOf: async (userId, now) => live(userId, now).length,

		newestOf: async (userId, now, limit) =>
			live(userId, now)
				.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1))
				.slice(0, limit)
				.map(toSession),

		end: async (tokenHash) => {
			const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
			return row === undefined ? null : endSession(tables, row.id);
		},

		endOne: async (userId, id) => {
			const row = sessions.get(id);
			if (row?.userId !== userId) return null;
			if (row.deviceId !== null) devices.delete(row.deviceId);
			return endSession(tables, id);
		},

		onDevice: async (id, device, now) => {
			const row = sessions.get(id);
			const onIt = firstOf(sessions, (one) => one.deviceId === device && one.expiresAt > now);
			return {
				session: row && row.expiresAt > now ? toSession(row) : null,
				isKnown: device !== null && (devices.has(device) || onIt !== undefined)
			};
		},

		endOnDevice: async (id, device) => {
			const isEnded = (row: SessionRow): boolean =>
				row.id === id || (device !== null && row.deviceId === device);
			const owner = firstOf(sessions, isEnded)?.userId ?? devices.get(device ?? '')?.userId;
			const theirs = [...sessions.values()].filter((row) => row.userId === owner && isEnded(row));
			for (const one of [device, ...theirs.map(({ deviceId }) => deviceId)]) {
				if (one !== null) devices.delete(one);
			}
			return theirs.map((row) => endSession(tables, row.id));
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
