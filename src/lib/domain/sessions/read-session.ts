import type { Clock } from '../clock.ts';
import { planDevice, type DeviceChangeDeps } from '../devices/device.ts';
import type { DeviceKey } from '../devices/device-key.ts';
import type { Sessions } from './sessions.ts';
import type { SessionToken } from '../secret.ts';
import { isDueForRefresh, type SignedIn } from './session.ts';
import { secondsAfter } from '../time.ts';

export interface ReadSessionInput {
	readonly token: SessionToken;
	/** False reads without extending the session, however old its last refresh is. */
	readonly mayRefresh: boolean;
	/**
	 * The key of the session's browser, or null when it has none. A refresh makes the browser a known
	 * device. Absent for a client that keeps no cookies.
	 */
	readonly deviceKey?: DeviceKey | null;
}

export interface CurrentSession extends SignedIn {
	/** True for the one read that extended the session. The cookie must then be sent again. */
	readonly refreshed: boolean;
	/** A new key for the session's browser. Null when it keeps the one it has. */
	readonly newDeviceKey: DeviceKey | null;
}

/**
 * The session and user of a token. Null when the token is unknown, or its session has ended or
 * expired.
 */
export type ReadSession = (input: ReadSessionInput) => Promise<CurrentSession | null>;

export interface ReadSessionDeps extends DeviceChangeDeps {
	readonly sessions: Sessions;
	readonly clock: Clock;
}

export const makeReadSession =
	(deps: ReadSessionDeps): ReadSession =>
	async ({ token, mayRefresh, deviceKey }) => {
		const { sessions, secretHasher, policy } = deps;
		const { lifetime, refreshAfter } = policy.session;
		const now = deps.clock.now();
		let found: SignedIn | null = null;
		// During a rotation of the secret, older sessions are stored under the hash of an earlier key.
		for (const hash of [secretHasher.ofToken(token), ...secretHasher.earlierOfToken(token)]) {
			found ??= await sessions.find(hash, now);
		}
		if (found === null) return null;
		if (!mayRefresh || !isDueForRefresh(found.session, now, policy)) {
			return { ...found, refreshed: false, newDeviceKey: null };
		}
		const claim = deviceKey ? ({ kind: 'browser', key: deviceKey } as const) : null;
		const planned = deviceKey === undefined ? null : planDevice(deps, claim, now, true);
		// Null means that a concurrent request refreshed the session. The session is still valid.
		const refreshed = await sessions.refresh(
			found.session.id,
			now,
			secondsAfter(now, -refreshAfter),
			secondsAfter(now, lifetime),
			planned && { userId: found.user.id, change: planned.change }
		);
		return {
			user: found.user,
			session: refreshed?.session ?? found.session,
			refreshed: refreshed !== null,
			newDeviceKey: refreshed?.usesNewKey && planned ? planned.newKey : null
		};
	};
