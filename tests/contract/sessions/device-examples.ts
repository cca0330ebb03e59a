import type { Email } from '#lib/domain/email.ts';
import type { DeviceId } from '#lib/domain/ids.ts';
import type { DevicePlacement } from '#lib/domain/sessions/ports.ts';
import type { SecretHash } from '#lib/domain/secret.ts';
import type { Redeemed } from '#lib/domain/sign-in/ports.ts';
import type { Stores } from '#lib/domain/deps.ts';
import { signIn } from '../account/account-examples.ts';
import { ada, aHash, at, newChallengeId, policy } from '../stores/examples.ts';

/** A browser without a key, which gets one. */
export const aDevicePlacement = (but: Partial<DevicePlacement> = {}): DevicePlacement => ({
	id: newChallengeId() as string as DeviceId,
	keyHash: aHash(),
	kind: 'browser',
	presentedHashes: [],
	usedAt: at(1),
	userAgent: 'a browser',
	limits: policy.devices,
	...but
});

/** A program, whose key stays. */
export const aProgram = (keyHash = aHash(), but: Partial<DevicePlacement> = {}): DevicePlacement =>
	aDevicePlacement({ kind: 'program', keyHash, presentedHashes: [keyHash], ...but });

/** Signs in on a device. Returns its key's hash with the result. */
export const signInOn = async (
	stores: Stores,
	but: Partial<DevicePlacement> = {},
	email: Email = ada
): Promise<Redeemed & { readonly key: SecretHash }> => {
	const device = aDevicePlacement(but);
	return { ...(await signIn(stores, email, { device })), key: device.keyHash };
};
