import type { Deps } from '../deps.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import type { PresentedKey } from '../secret.ts';
import type { Session } from '../sessions/ports.ts';
import { reportedSignIn } from '../signed-links.ts';
import type { RecogniseDeps } from './steps.ts';

/** What is left of a reported sign-in. */
interface ReportedDevice {
	/** Null when the device was signed out. */
	readonly session: Session | null;
	/** Whether the device is signed in, or the account still knows it. */
	readonly canSignOut: boolean;
	/** Without a key, nothing connects a later sign-in of the same client with this one. */
	readonly hasKey: boolean;
}

/** Reads the link of a notice without using it. Null when it is no link of ours. */
const makeReadReportedDevice =
	({ sessions, newDeviceSigner, clock }: Deps<'sessions' | 'newDeviceSigner' | 'clock'>) =>
	async (token: string): Promise<ReportedDevice | null> => {
		const signIn = reportedSignIn(newDeviceSigner, token);
		if (signIn === null) return null;
		const { session, device } = signIn;
		const found = await sessions.onDevice(session, device, clock.now());
		const canSignOut = found.session !== null || found.isKnown;
		return { session: found.session, canSignOut, hasKey: device !== null };
	};

/**
 * Signs the device of a notice out, and forgets it. Repeating it succeeds and changes nothing.
 * Returns the sessions that ended.
 */
const makeSignOutReportedDevice =
	({ sessions, newDeviceSigner }: Deps<'sessions' | 'newDeviceSigner'>) =>
	async (token: string): Promise<Result<readonly SessionId[], ErrorOf<'unknown_device_link'>>> => {
		const signIn = reportedSignIn(newDeviceSigner, token);
		if (signIn === null) return err({ code: 'unknown_device_link' });
		return ok(await sessions.endOnDevice(signIn.session, signIn.device));
	};

/**
 * The email address that the sign-in pages of a browser offer: the one that last signed in there,
 * until it signs out. It does not show what became of the account, unless that was deleted.
 */
const makeReadLastEmail =
	({ devices, secretHasher }: RecogniseDeps) =>
	async (presentedKey: PresentedKey | null): Promise<Email | null> => {
		for (const hash of presentedKey === null ? [] : secretHasher.ofDevice(presentedKey)) {
			const email = await devices.lastEmail(hash);
			if (email !== null) return email;
		}
		return null;
	};

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
	forgetLastEmail: makeForgetLastEmail,
	readReportedDevice: makeReadReportedDevice,
	signOutReportedDevice: makeSignOutReportedDevice
};
