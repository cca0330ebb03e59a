import type { DeviceId, UserId } from '../ids.ts';
import type { SecretHash } from '../secret.ts';
import type { DeviceChange, KnownDevice } from './device.ts';

export interface ArrangedDevices {
	/** The account's row. Null when it needs a new one. */
	readonly own: DeviceId | null;
	/** The hash that all kept rows get. */
	readonly keyHash: SecretHash;
	/** Whether the client keeps the key that it presented. */
	readonly keptKey: boolean;
	/** The rows of other accounts on this device, which stay. */
	readonly others: readonly DeviceId[];
	readonly dropped: readonly DeviceId[];
}

/**
 * Decides about the rows of one device when an account signs in on it. `found` are the rows under
 * the presented key, and the row that `linked` names: the device that the account's session was
 * opened on, which counts when the client has lost or changed its key.
 *
 * During a rotation of the secret an account can have two rows, of which the last used one stays. The
 * linked row stays too: other sessions can be on it, and the link of a notice finds them by its id.
 */
export const arrangeDevices = (
	found: readonly KnownDevice[],
	userId: UserId,
	linked: DeviceId | null,
	{ keyHash, presented, keepsKnownKey, limits }: DeviceChange
): ArrangedDevices => {
	const lastUsedFirst = [...found].sort(
		(a, b) => b.usedAt.getTime() - a.usedAt.getTime() || (a.id < b.id ? 1 : -1)
	);
	const [current] = presented;
	const isPresented = (row: KnownDevice): boolean => presented.includes(row.keyHash);
	const mine = lastUsedFirst.filter((row) => row.userId === userId);
	const own = mine.find(isPresented) ?? mine.find(({ id }) => id === linked) ?? null;
	const keptKey = keepsKnownKey && own !== null && isPresented(own) && current !== undefined;

	const accounts = new Set<UserId>([userId]);
	const others: DeviceId[] = [];
	const dropped = mine.filter((row) => row !== own && isPresented(row)).map(({ id }) => id);
	for (const row of lastUsedFirst) {
		if (row.userId === userId) continue;
		const hasRoom = !accounts.has(row.userId) && accounts.size < limits.accounts;
		accounts.add(row.userId);
		(hasRoom ? others : dropped).push(row.id);
	}
	return {
		own: own?.id ?? null,
		keyHash: keptKey ? current : keyHash,
		keptKey,
		others,
		dropped
	};
};
