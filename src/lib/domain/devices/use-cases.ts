import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import { hashesOf } from '../known-device.ts';
import type { Signer } from '../ports.ts';
import type { PresentedKey } from '../secret.ts';
import type { Session, Sessions } from '../sessions/ports.ts';
import { reportedSignIn } from '../signed-links.ts';
import type { Clock } from '../time.ts';
import type { RecogniseDeps } from './steps.ts';

/**
 * The email address that the sign-in pages of a browser offer: the one that last signed in there,
 * until it signs out. It does not show what became of the account, unless that was deleted.
 */
export type ReadLastEmail = (presentedKey: PresentedKey | null) => Promise<Email | null>;

/** For a browser that signs out. */
export type ForgetLastEmail = (presentedKey: PresentedKey | null) => Promise<void>;

/** What is left of a reported sign-in. */
export interface ReportedDevice {
	/** Null when the device was signed out. */
	readonly session: Session | null;
	/** Whether the device is signed in, or the account still knows it. */
	readonly canSignOut: boolean;
	/**
	 * Whether the client had a key. Without one, nothing connects the sign-in with a later one of the
	 * same client, which can be signed in.
	 */
	readonly hasKey: boolean;
}

/** Reads the link of a notice without using it. Null when it is no link of ours. */
export type ReadReportedDevice = (token: string) => Promise<ReportedDevice | null>;

/**
 * Signs the device of a notice out, and forgets it. Repeating it succeeds and changes nothing.
 * Returns the sessions that ended.
 */
export type SignOutReportedDevice = (
	token: string
) => Promise<Result<readonly SessionId[], ErrorOf<'unknown_device_link'>>>;

interface ReportDeps {
	readonly sessions: Sessions;
	readonly newDeviceSigner: Signer;
	readonly clock: Clock;
}

const makeReadReportedDevice =
	({ sessions, newDeviceSigner, clock }: ReportDeps): ReadReportedDevice =>
	async (token) => {
		const signIn = reportedSignIn(newDeviceSigner, token);
		if (signIn === null) return null;
		const { session, device } = signIn;
		const found = await sessions.onDevice(session, device, clock.now());
		const canSignOut = found.session !== null || found.isKnown;
		return { session: found.session, canSignOut, hasKey: device !== null };
	};

const makeSignOutReportedDevice =
	({ sessions, newDeviceSigner }: Omit<ReportDeps, 'clock'>): SignOutReportedDevice =>
	async (token) => {
		const signIn = reportedSignIn(newDeviceSigner, token);
		if (signIn === null) return err({ code: 'unknown_device_link' });
		return ok(await sessions.endOnDevice(signIn.session, signIn.device));
	};

const makeReadLastEmail =
	({ devices, secretHasher }: RecogniseDeps): ReadLastEmail =>
	async (presentedKey) => {
		for (const hash of presentedKey === null ? [] : hashesOf(secretHasher, presentedKey)) {
			const email = await devices.lastEmail(hash);
			if (email !== null) return email;
		}
		return null;
	};

const makeForgetLastEmail =
	({ devices, secretHasher }: RecogniseDeps): ForgetLastEmail =>
	async (presentedKey) => {
		for (const hash of presentedKey === null ? [] : hashesOf(secretHasher, presentedKey)) {
			await devices.forgetEmail(hash);
		}
	};

export const devices = {
	readLastEmail: makeReadLastEmail,
	forgetLastEmail: makeForgetLastEmail,
	readReportedDevice: makeReadReportedDevice,
	signOutReportedDevice: makeSignOutReportedDevice
};
