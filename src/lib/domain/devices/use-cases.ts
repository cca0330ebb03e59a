import type { Email } from '../email.ts';
import { firstFound, type PresentedKey } from '../secret.ts';
import type { RecogniseDeps } from './recognise.ts';

/**
 * The email address that the sign-in pages of a browser offer: the one that last signed in there,
 * until it signs out. It does not show what became of the account, unless that was deleted.
 */
const makeReadLastEmail =
	({ devices, secretHasher }: RecogniseDeps) =>
	async (presentedKey: PresentedKey | null): Promise<Email | null> =>
		presentedKey &&
		firstFound(secretHasher.ofDevice(presentedKey), (hash) => devices.lastEmail(hash));

/** For a browser that signs out. */
const makeForgetLastEmail =
	({ devices, secretHasher }: RecogniseDeps) =>
	async (presentedKey: PresentedKey | null): Promise<void> => {
		for (const hash of presentedKey === null ? [] : secretHasher.ofDevice(presentedKey)) {
			await devices.forgetEmail(hash);
		}
	};

export const devices = {
	readLastEmail: makeReadLastEmail,
	forgetLastEmail: makeForgetLastEmail
};
