import type { Email } from '#lib/domain/email.ts';
import type { Devices } from '#lib/domain/sessions/ports.ts';
import type { DeviceId, UserId } from '#lib/domain/ids.ts';
import {
	arrangeDevices,
	type DevicePlacement,
	type StoredDevice
} from '#lib/domain/sessions/known-device.ts';
import {
	change,
	copy,
	firstOf,
	latestFirst,
	removeSome,
	rowsOf,
	type MemoryTables
} from './tables.ts';

/** Makes a client a known device of an account. */
export const placeDevice = (
	{ devices }: MemoryTables,
	userId: UserId,
	client: DevicePlacement,
	linked: DeviceId | null,
	signedIn: Email | null
) => {
	const { presentedHashes, usedAt, userAgent, limits } = client;
	const isFound = (row: StoredDevice): boolean =>
		presentedHashes.includes(row.keyHash) || (row.id === linked && row.userId === userId);
	const found = rowsOf(devices, isFound);
	const arranged = arrangeDevices(found, userId, linked, client);
	const { keyHash, keptKey, wasKnown } = arranged;
	for (const id of arranged.dropped) devices.delete(id);
	const others = (row: StoredDevice): boolean => arranged.others.includes(row.id);
	change(devices, others, { keyHash, ...(signedIn && { email: null }) });
	const own = found.find(({ id }) => id === arranged.own);
	const createdAt = own?.createdAt ?? usedAt;
	const id = own?.id ?? client.id;
	const email = signedIn ?? own?.email ?? null;
	const row = { id, keyHash, userId, isKnown: true, email, userAgent, createdAt, usedAt };
	devices.set(id, copy(row));
	const rest = devicesOf(devices, userId).filter((row) => row.id !== id);
	for (const row of rest.slice(limits.perAccount - 1)) devices.delete(row.id);
	return { id, keptKey, wasKnown };
};

/** The last used first. */
const devicesOf = (devices: MemoryTables['devices'], userId: UserId) =>
	rowsOf(devices, (row) => row.userId === userId).sort(latestFirst(({ usedAt }) => usedAt));

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
