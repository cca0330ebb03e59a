import { fromStore, type UseCaseDeps } from '../deps.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { SessionId, UserId } from '../ids.ts';
import { firstFound, type PresentedKey, type SessionToken } from '../secret.ts';
import { verifyNewDeviceToken } from '../signed-links.ts';
import { secondsAfter } from '../time.ts';
import type { DeviceStatus, ListedDevice, Session, SignedIn } from './ports.ts';
import { isDueForRefresh } from './session.ts';

interface ReadSessionInput {
	readonly token: SessionToken;
	/** False reads without extending the session, however old its last refresh is. */
	readonly mayRefresh: boolean;
}

interface CurrentSession extends SignedIn {
	/** True for the one read that extended the session. The cookies must then be sent again. */
	readonly refreshed: boolean;
}

const makeReadSession =
	({ sessions, secretHasher, clock, policy }: UseCaseDeps) =>
	async ({ token, mayRefresh }: ReadSessionInput): Promise<CurrentSession | null> => {
		const { lifetime, refreshAfter } = policy.session;
		const now = clock.now();
		const hashes = secretHasher.ofToken(token);
		const found = await firstFound(hashes, (hash) => sessions.find(hash, now));
		if (found === null) return null;
		if (!mayRefresh || !isDueForRefresh(found.session, now, policy)) {
			return { ...found, refreshed: false };
		}
		const [dueSince, expiresAt] = [secondsAfter(now, -refreshAfter), secondsAfter(now, lifetime)];
		// Null means that a concurrent request refreshed the session. The session is still valid.
		const session = await sessions.refresh(found.session.id, { now, dueSince, expiresAt });
		return { ...found, ...(session && { session }), refreshed: session !== null };
	};

/** Null when the session was already gone, which is no error. */
const makeEndSessionByToken =
	({ sessions, secretHasher }: UseCaseDeps) =>
	(token: SessionToken): Promise<SessionId | null> =>
		firstFound(secretHasher.ofToken(token), (hash) => sessions.end(hash));

const makeListSessions =
	({ sessions, clock }: UseCaseDeps) =>
	(userId: UserId): Promise<readonly Session[]> =>
		sessions.listOf(userId, clock.now());

/**
 * The devices that an account is signed in on, that of `current` first and then the last used. After
 * them the known devices that signed out.
 */
const makeListDevices =
	({ sessions, devices, clock }: UseCaseDeps) =>
	async (userId: UserId, current: SessionId): Promise<readonly ListedDevice[]> => {
		const open = await sessions.listOf(userId, clock.now());
		const byHandle = Map.groupBy(open, ({ id, deviceId }) => deviceId ?? id);
		const signedIn = [...byHandle].flatMap(([handle, sessions]) =>
			sessions.slice(0, 1).map(({ deviceId, userAgent, updatedAt: usedAt }) => {
				return { handle, deviceId, userAgent, usedAt, sessions };
			})
		);
		const signedOut = (await devices.listOf(userId))
			.filter(({ id, isKnown }) => isKnown && !byHandle.has(id))
			.map(({ id, ...rest }) => ({ ...rest, handle: id, deviceId: id, sessions: [] }));
		const isCurrent = ({ sessions }: ListedDevice) => sessions.some(({ id }) => id === current);
		return [
			...signedIn.filter(isCurrent),
			...signedIn.filter((device) => !isCurrent(device)),
			...signedOut
		];
	};

/**
 * Ends every session of the account on one of its devices, and forgets the device. Returns the ended
 * sessions: none when the device is gone or belongs to another account.
 */
const makeEndDevice =
	(deps: UseCaseDeps) =>
	async (userId: UserId, current: SessionId, handle: string): Promise<readonly SessionId[]> => {
		const listed = await makeListDevices(deps)(userId, current);
		const device = listed.find((one) => one.handle === handle);
		if (device === undefined) return [];
		return deps.sessions.endOnDevice(device.sessions[0]?.id ?? null, device.deviceId);
	};

interface NewDevice extends DeviceStatus {
	/** Without a key, nothing connects a later sign-in of the same client with this one. */
	readonly hasKey: boolean;
}

/** Reads the link of a notice without using it. Null when it is no link of ours. */
const makeReadNewDevice =
	({ sessions, newDeviceSigner, clock }: UseCaseDeps) =>
	async (token: string): Promise<NewDevice | null> => {
		const signIn = verifyNewDeviceToken(newDeviceSigner, token);
		if (signIn === null) return null;
		const { session, device } = signIn;
		const found = await sessions.onDevice(session, device, clock.now());
		return { ...found, hasKey: device !== null };
	};

/**
 * Signs the device of a notice out, and forgets it. Repeating it succeeds and changes nothing.
 * Returns the sessions that ended.
 */
const makeSignOutNewDevice =
	({ sessions, newDeviceSigner }: UseCaseDeps) =>
	async (
		token: string
	): Promise<Result<readonly SessionId[], ErrorOf<'unknown_new_device_link'>>> => {
		const signIn = verifyNewDeviceToken(newDeviceSigner, token);
		if (signIn === null) return err({ code: 'unknown_new_device_link' });
		return ok(await sessions.endOnDevice(signIn.session, signIn.device));
	};

/**
 * The email address that the sign-in pages of a browser offer: the one that last signed in there,
 * until it signs out. An email change elsewhere does not change it, but a deletion removes it.
 */
const makeReadLastEmail =
	({ devices, secretHasher }: UseCaseDeps) =>
	async (presentedKey: PresentedKey | null): Promise<Email | null> =>
		presentedKey &&
		firstFound(secretHasher.ofDevice(presentedKey), (hash) => devices.lastEmail(hash));

/** For a browser that signs out. */
const makeForgetLastEmail =
	({ devices, secretHasher }: UseCaseDeps) =>
	async (presentedKey: PresentedKey | null): Promise<void> => {
		for (const hash of presentedKey === null ? [] : secretHasher.ofDevice(presentedKey)) {
			await devices.forgetEmail(hash);
		}
	};

export const sessions = {
	readSession: makeReadSession,
	endSessionByToken: makeEndSessionByToken,
	listSessions: makeListSessions,
	listDevices: makeListDevices,
	endSessionById: fromStore('sessions', 'endOne'),
	endDevice: makeEndDevice,
	endSessionsExcept: fromStore('sessions', 'endSessionsExcept'),
	readNewDevice: makeReadNewDevice,
	signOutNewDevice: makeSignOutNewDevice,
	readLastEmail: makeReadLastEmail,
	forgetLastEmail: makeForgetLastEmail
};
