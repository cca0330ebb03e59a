import type { RequestSource } from '../client.ts';
import type { Deps } from '../deps.ts';
import { planDevice } from '../sessions/known-device.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import { firstFound, type PresentedKey, type RestoreToken } from '../secret.ts';
import { secondsAfter } from '../time.ts';
import { planSession, type OpenedSession, type PlanSessionDeps } from './plan-session.ts';

interface RestoreAccountInput {
	readonly restoreToken: RestoreToken;
	readonly source: RequestSource;
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
	(deps: GrantDeps & PlanSessionDeps & Deps<'signIns'>) =>
	async ({
		restoreToken,
		source,
		presentedKey = null
	}: RestoreAccountInput): Promise<Result<OpenedSession, RestoreAccountError>> => {
		const now = deps.clock.now();
		const grant = await validGrant(deps, restoreToken, now);
		if (grant === null) return invalidGrant;
		const { email } = grant;
		const planned = planDevice(deps, { presentedKey, source }, now);
		const about = { email, source, planned, fairnessKey: grant.userId };
		const { token, deviceKey, opening } = planSession(deps, about, now);
		const redeemed = await deps.signIns.redeem({
			...opening,
			challengeId: grant.id,
			account: null,
			replaces: [],
			ifDeleted: { then: 'restore' }
		});
		if (redeemed?.kind === 'blocked') return err({ code: 'account_blocked' });
		if (redeemed?.kind !== 'signed_in') return invalidGrant;
		if (redeemed.isReported) deps.outbox.wake();
		const { user } = redeemed;
		return ok({ token, user, session: redeemed.session, deviceKey });
	};

/** Reads a restore grant without using it. Null when the grant is not valid, or no longer. */
export const makeReadRestoreGrant =
	(deps: GrantDeps & Deps<'policy'>) =>
	async (restoreToken: RestoreToken): Promise<RestoreGrant | null> => {
		const grant = await validGrant(deps, restoreToken, deps.clock.now());
		if (grant === null) return null;
		const purgeAt = secondsAfter(grant.deletedAt, deps.policy.deletion.grace);
		return { email: grant.email, purgeAt };
	};

const validGrant = async (deps: GrantDeps, restoreToken: RestoreToken, now: Date) => {
	const challenge = await firstFound(deps.secretHasher.ofRestoreToken(restoreToken), (hash) =>
		deps.challenges.latestOf(hash, 'account_restore')
	);
	if (challenge === null || challenge.expiresAt <= now) return null;
	const found = await deps.accounts.find(challenge.email);
	return found?.deletedAt
		? { email: challenge.email, id: challenge.id, userId: found.id, deletedAt: found.deletedAt }
		: null;
};
