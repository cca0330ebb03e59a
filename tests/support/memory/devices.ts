import type { Email } from '#lib/domain/email.ts';
import type { Devices } from '#lib/domain/devices/ports.ts';
import type { DeviceId, UserId } from '#lib/domain/ids.ts';
import { arrangeDevices, type DeviceChange } from '#lib/domain/known-device.ts';
import { copy, firstOf, latestFirst, removeSome, type MemoryTables } from './tables.ts';

/** Makes a client a known device of an account. */
export const placeDevice = (
	{ devices }: MemoryTables,
	userId: UserId,
	change: DeviceChange,
	linked: DeviceId | null,
	signedIn: Email | null
) => {
	const { presentedHashes, usedAt, limits } = change;
	const found = [...devices.values()].filter(
		(row) => presentedHashes.includes(row.keyHash) || (row.id === linked && row.userId === userId)
	);
	const arranged = arrangeDevices(found, userId, linked, change);
	const { keyHash, keptKey, wasKnown } = arranged;
	for (const id of arranged.dropped) devices.delete(id);
	for (const row of found) {
		const email = signedIn ? null : row.email;
		if (arranged.others.includes(row.id)) devices.set(row.id, { ...row, keyHash, email });
	}
	const own = found.find(({ id }) => id === arranged.own);
	const createdAt = own?.createdAt ?? usedAt;
	const id = own?.id ?? change.id;
	const email = signedIn ?? own?.email ?? null;
	devices.set(id, copy({ id, keyHash, userId, isKnown: true, email, createdAt, usedAt }));
	const rest = devicesOf(devices, userId).filter((row) => row.id !== id);
	for (const row of rest.slice(limits.perAccount - 1)) devices.delete(row.id);
	return { id, keptKey, wasKnown };
};

/** The last used first. */
const devicesOf = (devices: MemoryTables['devices'], userId: UserId) =>
	[...devices.values()]
		.filter((row) => row.userId === userId)
		.sort(latestFirst(({ usedAt }) => usedAt));

export const memoryDevices = ({ devices, users }: MemoryTables): Devices => ({
	knownAccount: async (keyHash, email) => {
		for (const row of devices.values()) {
			if (row.keyHash === keyHash && row.isKnown && users.get(row.userId)?.email === email)
				return row.userId;
		}
		return null;
	},

	lastEmail: async (keyHash) =>
		firstOf(devices, (row) => row.keyHash === keyHash && row.email !== null)?.email ?? null,

	forgetEmail: async (keyHash) => {
		for (const row of devices.values()) {
			if (row.keyHash === keyHash) devices.set(row.id, { ...row, email: null });
		}
	},

	listOf: async (userId) =>
		devicesOf(devices, userId).map(({ id, isKnown, email, createdAt, usedAt }) =>
			copy({ id, isKnown, email, createdAt, usedAt })
		),

	prune: async (usedBefore, limit) => removeSome(devices, (row) => row.usedAt <= usedBefore, limit)
});
