import type { Challenge } from '../sign-in/challenge.ts';
import type { ErrorOf } from '../errors.ts';
import type { SessionId, Ids, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Accounts } from './accounts.ts';
import type { Challenges } from '../sign-in/challenges.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import type { SecretHasher } from '../secret-hasher.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { err, ok, type Result } from '../result.ts';
import { newSessionToken, type RestoreToken } from '../secret.ts';
import { planDevice } from '../devices/device.ts';
import { newDeviceEmails, type NewDeviceNoticeDeps } from '../devices/new-device-notice.ts';
import type { DeviceClaim } from '../devices/device-key.ts';
import { newSession, type Device } from '../sessions/session.ts';
import { secondsAfter } from '../time.ts';
import type { OpenedSession } from '../sign-in/verify-code.ts';

export interface RestoreAccountInput {
	/** The restore grant that the right code earned. */
	readonly restoreToken: RestoreToken;
	readonly device: Device;
	/** The key of this browser, which becomes a known device. */
	readonly claim?: DeviceClaim | null;
}

export type RestoreAccountError = ErrorOf<'invalid_restore_grant'>;

/** Restores a deleted account and signs in to it. A restore grant works once. */
export type RestoreAccount = (
	input: RestoreAccountInput
) => Promise<Result<OpenedSession, RestoreAccountError>>;

export interface RestoreGrant {
	/** The account can be restored until this time. */
	readonly purgeAt: Date;
}

/** Reads a restore grant without using it. Null when the grant is not valid, or no longer. */
export type ReadRestoreGrant = (restoreToken: RestoreToken) => Promise<RestoreGrant | null>;

export interface RestoreAccountDeps extends NewDeviceNoticeDeps {
	readonly accounts: Accounts;
	readonly challenges: Challenges;
	readonly signIns: SignIns;
	readonly secretHasher: SecretHasher;
	readonly clock: Clock;
	readonly random: Random;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
}

const invalidGrant = err<RestoreAccountError>({ code: 'invalid_restore_grant' });

export const makeRestoreAccount =
	(deps: RestoreAccountDeps): RestoreAccount =>
	async ({ restoreToken, device, claim = null }) => {
		const { secretHasher, policy } = deps;
		const now = deps.clock.now();
		const standing = await validGrant(deps, restoreToken, now);
		if (standing === null) return invalidGrant;
		const token = newSessionToken(deps.random);
		const id = deps.ids.next() as SessionId;
		const { change, newKey } = planDevice(deps, claim, now);
		const session = newSession(id, secretHasher.ofToken(token), device, now, policy);
		const { email } = standing.challenge;
		const redeemed = await deps.signIns.redeem({
			challengeId: standing.challenge.id,
			email,
			account: null,
			session,
			sessionsPerAccount: policy.session.perAccount,
			replaces: [],
			device: change,
			newDeviceEmails: newDeviceEmails(deps, email, session, change, standing.userId),
			ifDeleted: { then: 'restore' }
		});
		if (redeemed === null || redeemed.kind !== 'signed_in') return invalidGrant;
		if (redeemed.isReported) deps.outbox.wake();
		const { user } = redeemed;
		return ok({ token, user, session: redeemed.session, deviceKey: newKey });
	};

export const makeReadRestoreGrant =
	(deps: GrantDeps & Pick<RestoreAccountDeps, 'policy'>): ReadRestoreGrant =>
	async (restoreToken) => {
		const standing = await validGrant(deps, restoreToken, deps.clock.now());
		return standing && { purgeAt: secondsAfter(standing.deletedAt, deps.policy.deletion.grace) };
	};

type GrantDeps = Pick<RestoreAccountDeps, 'accounts' | 'challenges' | 'secretHasher' | 'clock'>;

interface ValidGrant {
	readonly challenge: Challenge;
	readonly userId: UserId;
	readonly deletedAt: Date;
}

/**
 * A restore grant needs a deleted account. Once the account is active again, it must not sign
 * anyone in.
 */
const validGrant = async (
	deps: GrantDeps,
	restoreToken: RestoreToken,
	now: Date
): Promise<ValidGrant | null> => {
	const challenge = await findGrant(deps, restoreToken, now);
	const found = challenge && (await deps.accounts.find(challenge.email));
	if (!challenge || !found?.deletedAt) return null;
	return { challenge, userId: found.user.id, deletedAt: found.deletedAt };
};

const findGrant = async (
	{ challenges, secretHasher }: GrantDeps,
	restoreToken: RestoreToken,
	now: Date
): Promise<Challenge | null> => {
	const newest = secretHasher.ofRestoreToken(restoreToken);
	for (const hash of [newest, ...secretHasher.earlierOfRestoreToken(restoreToken)]) {
		const challenge = await challenges.latestOf(hash, 'account_restore');
		if (challenge !== null) return challenge.expiresAt > now ? challenge : null;
	}
	return null;
};
