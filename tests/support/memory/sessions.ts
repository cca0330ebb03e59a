import type { Email } from '#lib/domain/email.ts';
import type { DeviceId, SessionId, UserId } from '#lib/domain/ids.ts';
import { arrangeDevices } from '#lib/domain/sessions/known-device.ts';
import type {
	DevicePlacement,
	Devices,
	Sessions,
	StoredDevice
} from '#lib/domain/sessions/ports.ts';
import { ACCESS_PURPOSES, EMAIL_CHANGE_PURPOSES, type Purpose } from '#lib/domain/sign-in/ports.ts';
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
export const endSession = (tables: MemoryTables, id: SessionId): SessionId => {
	tables.sessions.delete(id);
	revokeRequestsOf(tables, id);
	return id;
};

/** Makes a client a known device of an account. */
export const placeDevice = (
	{ devices }: MemoryTables,
	userId: UserId,
	client: DevicePlacement,
	sessionDevice: DeviceId | null,
	offeredEmail: Email | null
) => {
	const { presentedHashes, usedAt, userAgent, limits } = client;
	const isFound = (row: StoredDevice): boolean =>
		presentedHashes.includes(row.keyHash) || (row.id === sessionDevice && row.userId === userId);
	const found = rowsOf(devices, isFound);
	const arranged = arrangeDevices(found, userId, sessionDevice, client);
	const { keyHash } = client;
	const { wasKnown } = arranged;
	for (const id of arranged.dropped) devices.delete(id);
	const others = (row: StoredDevice): boolean => arranged.others.includes(row.id);
	change(devices, others, { keyHash, ...(offeredEmail && { email: null }) });
	const own = found.find(({ id }) => id === arranged.own);
	const createdAt = own?.createdAt ?? usedAt;
	const id = own && wasKnown ? own.id : client.id;
	if (own) devices.delete(own.id);
	const email = offeredEmail ?? own?.email ?? null;
	const row = { id, keyHash, userId, isKnown: true, email, userAgent, createdAt, usedAt };
	devices.set(id, copy(row));
	const rest = devicesOf(devices, userId)
		.filter((row) => row.id !== id)
		.sort((a, b) => Number(b.isKnown) - Number(a.isKnown));
	for (const row of rest.slice(limits.perAccount - 1)) devices.delete(row.id);
	return { id, wasKnown };
};

/** The last used first. */
const devicesOf = (devices: MemoryTables['devices'], userId: UserId) =>
	rowsOf(devices, (row) => row.userId === userId).sort(latestFirst(({ usedAt }) => usedAt));

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
		({ id }) => endSession(tables, id)
	);
	if (keep !== null) revokeRequestsOf(tables, keep);
	const kept = keep === null ? null : tables.sessions.get(keep)?.deviceId;
	const isOther = (row: StoredDevice): boolean => row.userId === userId && row.id !== kept;
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

		refresh: async (id, { now, dueSince, expiresAt }) => {
			const row = sessions.get(id);
			if (row === undefined || row.updatedAt > dueSince || row.expiresAt <= now) return null;
			const refreshed = copy({ ...row, updatedAt: now, expiresAt });
			sessions.set(id, refreshed);
			change(devices, (device) => device.id === row.deviceId, { usedAt: now });
			return toSession(refreshed);
		},

		listOf: async (userId, now) =>
			live(userId, now).map((row) => ({ ...toSession(row), deviceId: row.deviceId })),

		end: async (tokenHash) => {
			const row = firstOf(sessions, (row) => row.tokenHash === tokenHash);
			if (row === undefined) return null;
			recordEvent(tables, 'signed_out', row.userId);
			return endSession(tables, row.id);
		},

		endOne: async (userId, id) => {
			const row = sessions.get(id);
			if (row?.userId !== userId) return null;
			if (row.deviceId !== null) devices.delete(row.deviceId);
			recordEnded(tables, userId, 1);
			return endSession(tables, id);
		},

		onDevice: async (id, device, now) => {
			const isOnIt = (row: SessionRow): boolean => device !== null && row.deviceId === device;
			const [last] = rowsOf(sessions, (row) => isOnIt(row) && row.expiresAt > now).sort(
				latestFirst(({ updatedAt }) => updatedAt)
			);
			const own = firstOf(sessions, (row) => row.id === id && row.expiresAt > now);
			const session = own ?? last;
			if (session) {
				const { userAgent, updatedAt: usedAt } = session;
				return { session: toSession(session), device: { userAgent, usedAt } };
			}
			const known = devices.get(device ?? '');
			if (!known?.isKnown) return { session: null, device: null };
			return { session: null, device: { userAgent: known.userAgent, usedAt: known.usedAt } };
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
			return theirs.map((row) => endSession(tables, row.id));
		},

		endSessionsExcept: async (userId, keep) => {
			const user = users.get(userId);
			if (user === undefined) return [];
			revokeCodes(tables, user.email);
			return deleteSessionsExcept(tables, userId, keep);
		},

		prune: async (now, limit) => {
			const expired = rowsOf(sessions, ({ expiresAt }) => expiresAt <= now).slice(0, limit);
			for (const { id } of expired) endSession(tables, id);
			return expired.length;
		}
	};
};

export const memoryDevices = ({ devices, users }: MemoryTables): Devices => ({
	knownAccount: async (keyHash, email) => {
		const known = rowsOf(devices, (row) => row.keyHash === keyHash && row.isKnown);
		return known.find(({ userId }) => users.get(userId)?.email === email)?.userId ?? null;
	},

	lastEmail: async (keyHash) =>
		firstOf(devices, (row) => row.keyHash === keyHash && row.email !== null)?.email ?? null,

	forgetEmail: async (keyHash) =>
		void change(devices, (row) => row.keyHash === keyHash, { email: null }),

	listOf: async (userId) =>
		devicesOf(devices, userId).map(({ id, isKnown, email, userAgent, createdAt, usedAt }) =>
			copy({ id, isKnown, email, userAgent, createdAt, usedAt })
		),

	prune: async (usedBefore, limit) => removeSome(devices, (row) => row.usedAt <= usedBefore, limit)
});
