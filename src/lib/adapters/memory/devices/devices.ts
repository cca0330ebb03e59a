import type { Devices } from '#lib/domain/devices/devices.ts';
import { removeSome, type MemoryTables } from '../tables.ts';

export const memoryDevices = ({ devices, users }: MemoryTables): Devices => ({
	knownAccount: async (keyHash, email) => {
		for (const row of devices.values()) {
			if (row.keyHash === keyHash && users.get(row.userId)?.email === email) return row.userId;
		}
		return null;
	},

	prune: async (usedBefore, limit) => removeSome(devices, (row) => row.usedAt <= usedBefore, limit)
});
