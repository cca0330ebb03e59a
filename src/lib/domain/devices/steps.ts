import type { Deps } from '../deps.ts';
import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
import type { DeviceChange } from '../known-device.ts';
import type { NewDeviceMail } from '../mail.ts';
import type { OutboxRow } from '../outbox.ts';
import type { PresentedKey, DeviceKey } from '../secret.ts';
import type { NewSession } from '../sessions/ports.ts';
import { newDeviceToken } from '../signed-links.ts';
import type { User } from '../user.ts';

/** What a request shows of its client. */
export interface Caller {
	/** The key in its cookie or header. */
	readonly presentedKey?: PresentedKey | null;
	/** The account of its live session, as currently stored. */
	readonly user?: Pick<User, 'id' | 'email'> | null;
}

export type RecogniseDeps = Deps<'devices' | 'secretHasher'>;

/** No browser gets this key: keys of browsers are random and made by the server. */
const NO_KEY = 'A'.repeat(43) as DeviceKey;

/**
 * The account of an email address, when the caller is a known device of it. Null for an unknown
 * client. A live session of the account counts as a known device.
 *
 * The lookup is the same for every caller, with or without a key, so its time shows nothing.
 */
export const recognise = async (
	{ devices, secretHasher }: RecogniseDeps,
	{ presentedKey = null, user = null }: Caller,
	email: Email
): Promise<UserId | null> => {
	let known: UserId | null = user?.email === email ? user.id : null;
	for (const hash of secretHasher.ofDevice(presentedKey ?? { kind: 'browser', key: NO_KEY })) {
		const found = await devices.knownAccount(hash, email);
		known ??= found;
	}
	return known;
};

export type NewDeviceNoticeDeps = Deps<'outbox' | 'newDeviceSigner' | 'newDeviceNotices'>;

/** The notice to store with a sign-in, for the case that it is on a new device. */
export const prepareNewDeviceNotice = (
	{ outbox, newDeviceSigner, newDeviceNotices }: NewDeviceNoticeDeps,
	to: Email,
	{ id, ipAddress, userAgent, createdAt }: NewSession,
	change: DeviceChange | null,
	fairnessKey: string
): readonly OutboxRow[] => {
	if (!newDeviceNotices) return [];
	const mail: NewDeviceMail = {
		kind: 'new_device',
		to,
		token: newDeviceToken(newDeviceSigner, { session: id, device: change && change.id }),
		hasKey: change !== null,
		at: createdAt,
		client: { ipAddress, userAgent }
	};
	return [outbox.prepare(mail, { now: createdAt, fairnessKey })];
};
