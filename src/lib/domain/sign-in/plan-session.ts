import type { RequestSource } from '../client.ts';
import type { UseCaseDeps } from '../deps.ts';
import type { PlannedPlacement } from '../sessions/known-device.ts';
import type { Email } from '../email.ts';
import type { SessionId } from '../ids.ts';
import { newSessionToken } from '../secret.ts';
import { newSession } from '../sessions/session.ts';
import { newDeviceToken } from '../signed-links.ts';
import type { OpenedSession, Redemption } from './ports.ts';

interface SignInToPlan {
	readonly email: Email;
	readonly source: RequestSource;
	/** Null for a client that does not become a known device. */
	readonly planned: PlannedPlacement | null;
	/** Of the notice about a new device. */
	readonly fairnessKey: string;
}

interface PlannedSession extends Pick<OpenedSession, 'token' | 'deviceKey'> {
	readonly opening: Pick<
		Redemption,
		'email' | 'session' | 'sessionsPerAccount' | 'device' | 'newDeviceMails'
	>;
}

/** Plans the session that a sign-in opens, with its device and the notice about a new one. */
export const planSession = (
	{ outbox, newDeviceSigner, newDeviceNotices, ...deps }: UseCaseDeps,
	{ email, source, planned, fairnessKey }: SignInToPlan,
	now: Date
): PlannedSession => {
	const token = newSessionToken(deps.random);
	const id = deps.ids.next() as SessionId;
	const [tokenHash] = deps.secretHasher.ofToken(token);
	const session = newSession(id, tokenHash, source, now, deps.policy);
	const device = planned && planned.placement;
	const { ipAddress, userAgent } = session;
	const notice = {
		kind: 'new_device',
		to: email,
		token: newDeviceToken(newDeviceSigner, { session: id, device: device && device.id }),
		hasKey: device !== null,
		at: now,
		source: { ipAddress, userAgent }
	} as const;
	const newDeviceMails = newDeviceNotices ? [outbox.prepare(notice, { now, fairnessKey })] : [];
	const sessionsPerAccount = deps.policy.session.perAccount;
	return {
		token,
		deviceKey: planned && planned.newKey,
		opening: { email, session, sessionsPerAccount, device, newDeviceMails }
	};
};
