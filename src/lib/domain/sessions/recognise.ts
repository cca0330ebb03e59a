import type { UseCaseDeps } from '../deps.ts';
import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';
import type { DeviceKey } from '../secret.ts';
import type { ClientEvidence } from './ports.ts';

/** No browser gets this key: keys of browsers are random and made by the server. */
const NO_KEY = 'A'.repeat(43) as DeviceKey;

/**
 * The account of an email address, when the client is a known device of it. Null for an unknown
 * client. A live session of the account counts as a known device.
 *
 * The lookup is the same for every client, with or without a key, so its time shows nothing.
 */
export const recognise = async (
	{ devices, secretHasher }: UseCaseDeps,
	{ presentedKey = null, user = null }: ClientEvidence,
	email: Email
): Promise<UserId | null> => {
	let known: UserId | null = user?.email === email ? user.id : null;
	for (const hash of secretHasher.ofDevice(presentedKey ?? { kind: 'browser', key: NO_KEY })) {
		const found = await devices.knownAccount(hash, email);
		known ??= found;
	}
	return known;
};
