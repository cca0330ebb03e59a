import type { RequestSource } from '../client.ts';
import type { UseCaseDeps } from '../deps.ts';
import { planDevice } from '../sessions/known-device.ts';
import type { Email } from '../email.ts';
import type { SessionId } from '../ids.ts';
import { newSessionToken, type PresentedKey } from '../secret.ts';
import { newSession } from '../sessions/session.ts';
import { newDeviceToken } from '../signed-links.ts';
import type { OpenedSession, Redemption } from './ports.ts';

interface SignInToPlan {
	readonly email: Email;
	readonly source: RequestSource;
	readonly presentedKey: PresentedKey | null;
	readonly becomesKnown: boolean;
	/** Of the notice about a new device. */
	readonly fairnessKey: string;
}

type PlannedSession = Pick<OpenedSession, 'token' | 'deviceKey'> &
	Pick<Redemption, 'email' | 'session' | 'sessionsPerAccount' | 'device' | 'newDeviceMails'>;

/** Plans the session that a sign-in opens, with its device and the notice about a new one. */
export const planSession = (
	deps: UseCaseDeps,
	{ email, source, presentedKey, becomesKnown, fairnessKey }: SignInToPlan,
	now: Date
): PlannedSession => {
	const planned = becomesKnown ? planDevice(deps, { presentedKey, source }, now) : null;
	const token = newSessionToken(deps.random);
	const id = deps.ids.next() as SessionId;
	const [tokenHash] = deps.secretHasher.ofToken(token);
	const session = newSession(id, tokenHash, source, now, deps.policy);
	const device = planned && planned.placement;
	const { ipAddress, userAgent } = session;
	const notice = {
		kind: 'new_device',
		to: email,
		token: newDeviceToken(deps.newDeviceSigner, { session: id, device: device && device.id }),
		hasKey: device !== null,
		at: now,
		source: { ipAddress, userAgent }
	} as const;
	return {
		token,
		deviceKey: planned && planned.newKey,
		email,
		session,
		sessionsPerAccount: deps.policy.session.perAccount,
		device,
		newDeviceMails: deps.newDeviceNotices ? [deps.outbox.prepare(notice, { now, fairnessKey })] : []
	};
};
