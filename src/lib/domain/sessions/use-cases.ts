import type { Deps } from '../deps.ts';
import { planDevice, type PlacementDeps } from '../devices/known-device.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { SessionId, UserId } from '../ids.ts';
import type { DeviceKey, SessionToken } from '../secret.ts';
import { reportedSignIn } from '../signed-links.ts';
import { secondsAfter } from '../time.ts';
import type { ListedSession, Session, SignedIn } from './ports.ts';
import { isDueForRefresh } from './session.ts';

interface ReadSessionInput {
	readonly token: SessionToken;
	/** False reads without extending the session, however old its last refresh is. */
	readonly mayRefresh: boolean;
	/**
	 * The key of the session's browser, or null when it has none. A refresh makes the browser a known
	 * device. Absent for a client that keeps no cookies.
	 */
	readonly deviceKey?: DeviceKey | null;
}

interface CurrentSession extends SignedIn {
	/** True for the one read that extended the session. The cookie must then be sent again. */
	readonly refreshed: boolean;
	/** A new key for the session's browser. Null when it keeps the one it has. */
	readonly newDeviceKey: DeviceKey | null;
}

const makeReadSession =
	(deps: PlacementDeps & Deps<'sessions' | 'clock'>) =>
	async ({ token, mayRefresh, deviceKey }: ReadSessionInput): Promise<CurrentSession | null> => {
		const { sessions, policy } = deps;
		const { lifetime, refreshAfter } = policy.session;
		const now = deps.clock.now();
		let found: SignedIn | null = null;
		for (const hash of deps.secretHasher.ofToken(token)) {
			found ??= await sessions.find(hash, now);
		}
		if (found === null) return null;
		if (!mayRefresh || !isDueForRefresh(found.session, now, policy)) {
			return { ...found, refreshed: false, newDeviceKey: null };
		}
		const presentedKey = deviceKey ? ({ kind: 'browser', key: deviceKey } as const) : null;
		const planned = deviceKey === undefined ? null : planDevice(deps, presentedKey, now, true);
		// Null means that a concurrent request refreshed the session. The session is still valid.
		const refreshed = await sessions.refresh(
			found.session.id,
			now,
			secondsAfter(now, -refreshAfter),
			secondsAfter(now, lifetime),
			planned && { userId: found.user.id, placement: planned.placement }
		);
		return {
			user: found.user,
			session: refreshed?.session ?? found.session,
			refreshed: refreshed !== null,
			newDeviceKey: refreshed?.usesNewKey && planned ? planned.newKey : null
		};
	};

/** Null when the session was already gone, which is no error. */
const makeEndSessionByToken =
	({ sessions, secretHasher }: Deps<'sessions' | 'secretHasher'>) =>
	async (token: SessionToken): Promise<SessionId | null> => {
		for (const hash of secretHasher.ofToken(token)) {
			const ended = await sessions.end(hash);
			if (ended !== null) return ended;
		}
		return null;
	};

/** The sessions of one device. A client without a key counts as a device for each session. */
export type SignedInDevice = readonly [ListedSession, ...ListedSession[]];

export interface DevicePage {
	readonly devices: readonly SignedInDevice[];
	/** From 1 to `pages`. */
	readonly page: number;
	readonly pages: number;
}

const byDevice = (sessions: readonly ListedSession[]): readonly SignedInDevice[] => {
	const devices = Map.groupBy(sessions, ({ id, deviceId }) => deviceId ?? id);
	return [...devices.values()].flatMap(([last, ...others]): readonly SignedInDevice[] =>
		last === undefined ? [] : [[last, ...others]]
	);
};

type ListDeps = Deps<'sessions' | 'clock' | 'policy'>;

/** The live sessions of an account, the last used first. */
const makeListSessions =
	({ sessions, clock }: Deps<'sessions' | 'clock'>) =>
	(userId: UserId): Promise<readonly Session[]> =>
		sessions.listOf(userId, clock.now());

/** The same sessions by device, that of `current` first. */
const makeListSignedInDevices =
	({ sessions, clock, policy }: ListDeps) =>
	async (userId: UserId, current: SessionId): Promise<readonly SignedInDevice[]> => {
		const all = { first: current, limit: policy.session.perAccount };
		return byDevice(await sessions.rangeOf(userId, clock.now(), all));
	};

/**
 * A page of `size` devices with their sessions, on the first page that of `current` first. Instead of
 * a page behind the last one, it returns the last one.
 */
const makeReadSignedInDevicePage =
	(deps: ListDeps) =>
	async (userId: UserId, current: SessionId, page: number, size: number): Promise<DevicePage> => {
		const all = await makeListSignedInDevices(deps)(userId, current);
		const pages = Math.max(1, Math.ceil(all.length / size));
		const shown = Math.min(page, pages);
		return { devices: all.slice((shown - 1) * size, shown * size), page: shown, pages };
	};

/** False when it is gone or belongs to another account. */
const makeEndSessionById =
	({ sessions }: Deps<'sessions'>) =>
	async (userId: UserId, id: SessionId): Promise<boolean> =>
		(await sessions.endOne(userId, id)) !== null;

/**
 * Ends every session of the account on the device of one session, and forgets the device. Returns the
 * ended sessions: none when the session is gone or belongs to another account.
 */
const makeEndDevice =
	({ sessions, clock }: Deps<'sessions' | 'clock'>) =>
	async (userId: UserId, id: SessionId): Promise<readonly SessionId[]> => {
		const [found] = await sessions.rangeOf(userId, clock.now(), { first: id, limit: 1 });
		return found?.id === id ? sessions.endOnDevice(id, found.deviceId) : [];
	};

/** Spares `keep`. Also removes what could let an attacker in again. */
const makeEndAllSessions =
	({ sessions }: Deps<'sessions'>) =>
	(userId: UserId, keep: SessionId | null): Promise<readonly SessionId[]> =>
		sessions.endAll(userId, keep);

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

export const sessions = {
	readSession: makeReadSession,
	endSessionByToken: makeEndSessionByToken,
	listSessions: makeListSessions,
	listSignedInDevices: makeListSignedInDevices,
	readSignedInDevicePage: makeReadSignedInDevicePage,
	endSessionById: makeEndSessionById,
	endDevice: makeEndDevice,
	endAllSessions: makeEndAllSessions,
	readReportedDevice: makeReadReportedDevice,
	signOutReportedDevice: makeSignOutReportedDevice
};
