import type { Challenge } from '../sign-in/challenge.ts';
import type { ErrorOf } from '../errors.ts';
import type { SessionId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Accounts } from './accounts.ts';
import type { Challenges } from '../sign-in/challenges.ts';
import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';
import type { Random } from '../ports/random.ts';
import type { SecretHasher } from '../ports/secret-hasher.ts';
import type { SignIns } from '../sign-in/sign-ins.ts';
import { err, ok, type Result } from '../result.ts';
import { newSessionToken, type RestoreToken } from '../secret.ts';
import { newSession, type Device } from '../sessions/session.ts';
import { secondsAfter } from '../time.ts';
import type { VerifiedCode } from '../sign-in/verify-code.ts';

export interface RestoreAccountInput {
	/** The restore grant that the right code earned. */
	readonly leave: RestoreToken;
	readonly device: Device;
}

export type RestoreAccountError = ErrorOf<'invalid_leave'>;

/** Restores a deleted account and signs in to it. A restore grant works once. */
export type RestoreAccount = (
	input: RestoreAccountInput
) => Promise<Result<VerifiedCode, RestoreAccountError>>;

export interface Leave {
	/** The account can be restored until this time. */
	readonly purgeAt: Date;
}

/** Reads a restore grant without using it. Null when the grant is not valid, or no longer. */
export type ReadLeave = (leave: RestoreToken) => Promise<Leave | null>;

export interface RestoreAccountDeps {
	readonly accounts: Accounts;
	readonly challenges: Challenges;
	readonly signIns: SignIns;
	readonly secretHasher: SecretHasher;
	readonly clock: Clock;
	readonly random: Random;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
}

const invalidLeave = err<RestoreAccountError>({ code: 'invalid_leave' });

export const makeRestoreAccount =
	(deps: RestoreAccountDeps): RestoreAccount =>
	async ({ leave, device }) => {
		const { secretHasher, policy } = deps;
		const now = deps.clock.now();
		const standing = await standingLeave(deps, leave, now);
		if (standing === null) return invalidLeave;
		const token = newSessionToken(deps.random);
		const id = deps.ids.next() as SessionId;
		const redeemed = await deps.signIns.redeem({
			challengeId: standing.granted.id,
			email: standing.granted.email,
			account: null,
			session: newSession(id, secretHasher.ofToken(token), device, now, policy),
			replaces: [],
			ifDeleted: { then: 'restore' }
		});
		if (redeemed === null || redeemed.kind !== 'signed_in') return invalidLeave;
		const { user, session } = redeemed;
		return ok({ token, user, session });
	};

export const makeReadLeave =
	(deps: LeaveDeps & Pick<RestoreAccountDeps, 'policy'>): ReadLeave =>
	async (leave) => {
		const standing = await standingLeave(deps, leave, deps.clock.now());
		return standing && { purgeAt: secondsAfter(standing.deletedAt, deps.policy.deletion.grace) };
	};

type LeaveDeps = Pick<RestoreAccountDeps, 'accounts' | 'challenges' | 'secretHasher' | 'clock'>;

interface StandingLeave {
	readonly granted: Challenge;
	readonly deletedAt: Date;
}

/**
 * A restore grant needs a deleted account. Once the account is active again, it must not sign
 * anyone in.
 */
const standingLeave = async (
	deps: LeaveDeps,
	leave: RestoreToken,
	now: Date
): Promise<StandingLeave | null> => {
	const granted = await grantedLeave(deps, leave, now);
	const found = granted && (await deps.accounts.find(granted.email));
	if (!granted || !found?.deletedAt) return null;
	return { granted, deletedAt: found.deletedAt };
};

const grantedLeave = async (
	{ challenges, secretHasher }: LeaveDeps,
	leave: RestoreToken,
	now: Date
): Promise<Challenge | null> => {
	const { ofRestoreToken, earlierOfRestoreToken } = secretHasher;
	for (const hash of [ofRestoreToken(leave), ...earlierOfRestoreToken(leave)]) {
		const granted = await challenges.latestOf(hash, 'account_restore');
		if (granted !== null) return granted.expiresAt > now ? granted : null;
	}
	return null;
};
