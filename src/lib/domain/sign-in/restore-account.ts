import type { ClientInfo } from '../client.ts';
import type { Deps } from '../deps.ts';
import { prepareNewDeviceNotice, type NewDeviceNoticeDeps } from '../devices/steps.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import { planDevice, type DeviceChangeDeps } from '../known-device.ts';
import { newSessionToken, type PresentedKey, type RestoreToken } from '../secret.ts';
import { newSession } from '../sessions/session.ts';
import { secondsAfter } from '../time.ts';
import type { Challenge } from './ports.ts';
import type { OpenedSession } from './verify-code.ts';

interface RestoreAccountInput {
	readonly restoreToken: RestoreToken;
	readonly client: ClientInfo;
	/** The key of this browser, which becomes a known device. */
	readonly presentedKey?: PresentedKey | null;
}

type RestoreAccountError = ErrorOf<'invalid_restore_grant' | 'account_blocked'>;

interface RestoreGrant {
	/** Of the deleted account. */
	readonly email: Email;
	readonly purgeAt: Date;
}

type GrantDeps = Deps<'accounts' | 'challenges' | 'secretHasher' | 'clock'>;

const invalidGrant = err<RestoreAccountError>({ code: 'invalid_restore_grant' });

/** Restores a deleted account and signs in to it. A restore grant works once. */
export const makeRestoreAccount =
	(deps: GrantDeps & NewDeviceNoticeDeps & DeviceChangeDeps & Deps<'signIns'>) =>
	async ({
		restoreToken,
		client,
		presentedKey = null
	}: RestoreAccountInput): Promise<Result<OpenedSession, RestoreAccountError>> => {
		const { secretHasher, policy } = deps;
		const now = deps.clock.now();
		const grant = await validGrant(deps, restoreToken, now);
		if (grant === null) return invalidGrant;
		const token = newSessionToken(deps.random);
		const id = deps.ids.next() as SessionId;
		const { change, newKey } = planDevice(deps, presentedKey, now);
		const [tokenHash] = secretHasher.ofToken(token);
		const session = newSession(id, tokenHash, client, now, policy);
		const { email } = grant.challenge;
		const redeemed = await deps.signIns.redeem({
			challengeId: grant.challenge.id,
			email,
			account: null,
			session,
			sessionsPerAccount: policy.session.perAccount,
			replaces: [],
			device: change,
			newDeviceMails: prepareNewDeviceNotice(deps, email, session, change, grant.userId),
			ifDeleted: { then: 'restore' }
		});
		if (redeemed?.kind === 'blocked') return err({ code: 'account_blocked' });
		if (redeemed?.kind !== 'signed_in') return invalidGrant;
		if (redeemed.isReported) deps.outbox.wake();
		const { user } = redeemed;
		return ok({ token, user, session: redeemed.session, deviceKey: newKey });
	};

/** Reads a restore grant without using it. Null when the grant is not valid, or no longer. */
export const makeReadRestoreGrant =
	(deps: GrantDeps & Deps<'policy'>) =>
	async (restoreToken: RestoreToken): Promise<RestoreGrant | null> => {
		const grant = await validGrant(deps, restoreToken, deps.clock.now());
		if (grant === null) return null;
		const purgeAt = secondsAfter(grant.deletedAt, deps.policy.deletion.grace);
		return { email: grant.challenge.email, purgeAt };
	};

/** Once the account is active again, a restore grant must not sign anyone in. */
const validGrant = async (deps: GrantDeps, restoreToken: RestoreToken, now: Date) => {
	const challenge = await findGrant(deps, restoreToken, now);
	const found = challenge && (await deps.accounts.find(challenge.email));
	if (!challenge || !found?.deletedAt) return null;
	return { challenge, userId: found.id, deletedAt: found.deletedAt };
};

const findGrant = async (
	{ challenges, secretHasher }: GrantDeps,
	restoreToken: RestoreToken,
	now: Date
): Promise<Challenge | null> => {
	for (const hash of secretHasher.ofRestoreToken(restoreToken)) {
		const challenge = await challenges.latestOf(hash, 'account_restore');
		if (challenge !== null) return challenge.expiresAt > now ? challenge : null;
	}
	return null;
};
