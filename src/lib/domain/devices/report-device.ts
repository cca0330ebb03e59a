import type { Clock } from '../clock.ts';
import type { ErrorOf } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import { err, ok, type Result } from '../result.ts';
import type { Session } from '../sessions/session.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Signer } from '../signer.ts';
import { reportedSignIn } from './new-device-link.ts';

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

export const devices = {
	readReportedDevice: makeReadReportedDevice,
	signOutReportedDevice: makeSignOutReportedDevice
};
