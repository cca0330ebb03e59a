import { storableUserAgent, type RequestSource } from '../client.ts';
import type { UseCaseDeps } from '../deps.ts';
import type { DeviceId, UserId } from '../ids.ts';
import { newDeviceKey, type PresentedKey, type DeviceKey } from '../secret.ts';
import type { DevicePlacement, StoredDevice } from './ports.ts';

/** A placement, with the key that it gives to a browser. Null for a program, which has its own. */
interface PlannedPlacement {
	readonly placement: DevicePlacement;
	readonly newKey: DeviceKey | null;
}

interface ClientToPlace {
	readonly presentedKey: PresentedKey | null;
	readonly source: Pick<RequestSource, 'userAgent'>;
}

/**
 * Plans how a client becomes a known device. A browser always gets a new key: a key that someone
 * else planted in it, or stole from it, becomes worthless. A program keeps the key that it made.
 */
export const planDevice = (
	{ secretHasher, random, ids, policy }: UseCaseDeps,
	{ presentedKey, source }: ClientToPlace,
	now: Date
): PlannedPlacement => {
	const next: PresentedKey =
		presentedKey?.kind === 'program'
			? presentedKey
			: { kind: 'browser', key: newDeviceKey(random) };
	const placement = {
		id: ids.next() as DeviceId,
		kind: next.kind,
		keyHash: secretHasher.ofDevice(next)[0],
		presentedHashes: presentedKey === null ? [] : secretHasher.ofDevice(presentedKey),
		usedAt: now,
		userAgent: storableUserAgent(source.userAgent),
		limits: policy.devices
	};
	return { placement, newKey: next.kind === 'browser' ? next.key : null };
};

interface ArrangedDevices {
	/** The account's row. Null when it needs a new one. */
	readonly own: DeviceId | null;
	readonly wasKnown: boolean;
	/** The rows of other accounts on this device, which stay. */
	readonly others: readonly DeviceId[];
	readonly dropped: readonly DeviceId[];
}

/**
 * Decides about the rows of one device when an account signs in on it. `found` are the rows under
 * the presented key, and the row of `sessionDevice`: the device of the account's current session, if
 * the client lost its key.
 *
 * During a rotation of the secret an account can have two rows under the presented key, of which the last
 * used one stays. The row of the session's device stays, even under another key: other sessions can be on
 * it, and the link of a notice finds them by its id.
 */
export const arrangeDevices = (
	found: readonly StoredDevice[],
	userId: UserId,
	sessionDevice: DeviceId | null,
	{ presentedHashes, limits }: DevicePlacement
): ArrangedDevices => {
	const lastUsedFirst = [...found].sort(
		(a, b) => b.usedAt.getTime() - a.usedAt.getTime() || (a.id < b.id ? 1 : -1)
	);
	const isPresented = (row: StoredDevice): boolean => presentedHashes.includes(row.keyHash);
	const mine = lastUsedFirst.filter((row) => row.userId === userId);
	const own = mine.find(isPresented) ?? mine.find(({ id }) => id === sessionDevice) ?? null;

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
		wasKnown: own?.isKnown === true,
		others,
		dropped
	};
};
