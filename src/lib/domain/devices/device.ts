import type { DeviceId, Ids, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Random } from '../random.ts';
import type { SecretHash } from '../secret.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import { newDeviceKey, type DeviceClaim, type DeviceKey } from './device-key.ts';

/** A known device as it is stored: one row for each account that signed in on it. */
export interface KnownDevice {
	readonly id: DeviceId;
	readonly userId: UserId;
	readonly keyHash: SecretHash;
	/** The last sign-in on it, or the last refresh of a session on it. */
	readonly usedAt: Date;
}

/** How a client becomes a known device of the account that it signs in to. */
export interface DeviceChange {
	/** The id of the account's row, unless the account has one on this device. */
	readonly id: DeviceId;
	/** The hash of the key that the client has from now on. */
	readonly keyHash: SecretHash;
	/** All hashes of the key that the client presented, the current one first. */
	readonly presented: readonly SecretHash[];
	/** The presented key stays if it is known for the account. Otherwise it is always replaced. */
	readonly keepsKnownKey: boolean;
	readonly usedAt: Date;
	readonly limits: AuthPolicy['devices'];
}

export interface DeviceChangeDeps {
	readonly secretHasher: SecretHasher;
	readonly random: Random;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
}

/** A change, with the key that it gives to a browser. Null for a program, which has its own. */
export interface PlannedChange {
	readonly change: DeviceChange;
	readonly newKey: DeviceKey | null;
}

/**
 * Plans how a client becomes a known device. A browser always gets a new key: a key that someone
 * else planted in it, or stole from it, becomes worthless. A program keeps the key that it made.
 */
export const planDevice = (
	{ secretHasher, random, ids, policy }: DeviceChangeDeps,
	claim: DeviceClaim | null,
	now: Date,
	keepsKnownKey = false
): PlannedChange => {
	const presented = claim === null ? [] : hashesOf(secretHasher, claim);
	const rest = { presented, keepsKnownKey, usedAt: now, limits: policy.devices };
	const id = ids.next() as DeviceId;
	if (claim?.kind === 'program') {
		return { change: { ...rest, id, keyHash: secretHasher.ofDevice(claim) }, newKey: null };
	}
	const key = newDeviceKey(random);
	return {
		change: { ...rest, id, keyHash: secretHasher.ofDevice({ kind: 'browser', key }) },
		newKey: key
	};
};

/** The hashes under which the key of a client can be stored, the current one first. */
export const hashesOf = (
	hasher: Pick<SecretHasher, 'ofDevice' | 'earlierOfDevice'>,
	claim: DeviceClaim
): readonly SecretHash[] => [hasher.ofDevice(claim), ...hasher.earlierOfDevice(claim)];
