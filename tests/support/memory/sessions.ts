import type { Email } from '#lib/domain/email.ts';
import type { DeviceId, SessionId, UserId } from '#lib/domain/ids.ts';
import type { Sessions } from '#lib/domain/sessions/ports.ts';
import { ACCESS_PURPOSES, EMAIL_CHANGE_PURPOSES, type Purpose } from '#lib/domain/sign-in/ports.ts';
import { placeDevice } from './devices.ts';
import { recordEnded, recordEvent } from './events.ts';
import {
	change,
	copy,
	firstOf,
	latestFirst,
	removeSome,
	rowsOf,
	toSession,
	toUser,
	type MemoryTables,
	type SessionRow
} from './tables.ts';

const access: readonly Purpose[] = ACCESS_PURPOSES;
const emailChange: readonly Purpose[] = EMAIL_CHANGE_PURPOSES;

/** Revokes every code for an address, and the restore grants of its account. */
export const revokeCodes = ({ challenges }: MemoryTables, email: Email): void =>
	void removeSome(challenges, (row) => row.email === email && access.includes(row.purpose));

export const revokeChanges = ({ challenges }: MemoryTables, userId: UserId): void =>
	void removeSome(challenges, (row) => row.boundTo === userId && emailChange.includes(row.purpose));

/** Revokes everything that a session requested. */
const revokeRequestsOf = ({ challenges }: MemoryTables, id: SessionId): void =>
	void removeSome(challenges, ({ requestedBy }) => requestedBy === id);

/** Like the cascade of the databases. */
export const endSessionByToken = (tables: MemoryTables, id: SessionId): SessionId => {
	tables.sessions.delete(id);
	revokeRequestsOf(tables, id);
	return id;
};

/**
 * Ends the sessions of an account except `keep`, revokes everything that any of them requested, and
 * forgets the account's devices except that of `keep`. An email change disowns them, a block keeps them.
 */
export const deleteSessionsExcept = (
	tables: MemoryTables,
	userId: UserId,
	keep: SessionId | null,
	cause: 'change' | 'block' | 'other' = 'other'
): readonly SessionId[] => {
	const ended = rowsOf(tables.sessions, (row) => row.userId === userId && row.id !== keep).map(
		({ id }) => endSessionByToken(tables, id)
	);
	if (keep !== null) revokeRequestsOf(tables, keep);
	const kept = keep === null ? null : tables.sessions.get(keep)?.deviceId;
	const own = rowsOf(tables.devices, (row) => row.userId === userId);
	const others = own.filter(({ id }) => id !== kept).map(({ id }) => id);
	const isOther = ({ id }: { id: DeviceId }): boolean => others.includes(id);
	if (cause === 'change') {
		change(tables.devices, isOther, { isKnown: false });
		change(tables.devices, ({ id }) => id === kept, { isKnown: true, email: null });
	} else if (cause === 'other') removeSome(tables.devices, isOther);
	recordEnded(tables, userId, ended.length);
	return ended;
};

/** The sessions of an account that match. */
export const lastUsedFirst = (
	{ sessions }: MemoryTables,
	userId: UserId,
	isMeant: (row: SessionRow) => boolean
): readonly SessionRow[] =>
	rowsOf(sessions, (row) => row.userId === userId && isMeant(row)).sort(
		latestFirst(({ updatedAt }) => updatedAt)
	);

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
			const placed =
				device && placeDevice(tables, device.userId, device.placement, row.deviceId, null);
			const deviceId = placed ? placed.id : row.deviceId;
			const refreshed = copy({ ...row, updatedAt: now, expiresAt, deviceId });
			sessions.set(id, refreshed);
			return { session: toSession(refreshed), usesNewKey: placed !== null && !placed.keptKey };
		},

		listOf: async (userId, now) =>
			live(userId, now).map((row) => ({ ...toSession(row), deviceId: row.deviceId })),

		end: async (tokenHash) => {
			const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
			if (row === undefined) return null;
			recordEvent(tables, 'signed_out', row.userId);
			return endSessionByToken(tables, row.id);
		},

		endOne: async (userId, id) => {
			const row = sessions.get(id);
			if (row?.userId !== userId) return null;
			if (row.deviceId !== null) devices.delete(row.deviceId);
			recordEnded(tables, userId, 1);
			return endSessionByToken(tables, id);
		},

		onDevice: async (id, device, now) => {
			const isOnIt = (row: SessionRow): boolean => device !== null && row.deviceId === device;
			const [last] = rowsOf(sessions, (row) => isOnIt(row) && row.expiresAt > now).sort(
				latestFirst(({ updatedAt }) => updatedAt)
			);
			const own = firstOf(sessions, (row) => row.id === id && row.expiresAt > now);
			const session = own ?? last;
			if (session) return { session: toSession(session), userAgent: session.userAgent };
			const known = devices.get(device ?? '');
			return { session: null, userAgent: known?.isKnown ? known.userAgent : null };
		},

		endOnDevice: async (id, device) => {
			const isEnded = (row: SessionRow): boolean =>
				row.id === id || (device !== null && row.deviceId === device);
			const owner = firstOf(sessions, isEnded)?.userId ?? devices.get(device ?? '')?.userId;
			const theirs = rowsOf(sessions, (row) => row.userId === owner && isEnded(row));
			for (const one of [device, ...theirs.map(({ deviceId }) => deviceId)]) {
				if (one !== null) devices.delete(one);
			}
			if (owner !== undefined) recordEnded(tables, owner, theirs.length);
			return theirs.map((row) => endSessionByToken(tables, row.id));
		},

		endAllExcept: async (userId, keep) => {
			const user = users.get(userId);
			if (user === undefined) return [];
			revokeCodes(tables, user.email);
			return deleteSessionsExcept(tables, userId, keep);
		},

		prune: async (now, limit) => {
			const expired = rowsOf(sessions, ({ expiresAt }) => expiresAt <= now).slice(0, limit);
			for (const { id } of expired) endSessionByToken(tables, id);
			return expired.length;
		}
	};
};
