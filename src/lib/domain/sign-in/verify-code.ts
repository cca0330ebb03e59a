import { type Profile } from '../account/ports.ts';
import { newAccount } from '../account/use-cases.ts';
import type { RequestSource } from '../client.ts';
import type { UseCaseDeps } from '../deps.ts';
import { parseEmail, type Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ChallengeId } from '../ids.ts';
import { newRestoreToken, type RestoreToken, type SessionToken } from '../secret.ts';
import { undoToken } from '../signed-links.ts';
import { secondsAfter, wholeSecondsSince } from '../time.ts';
import { clientBinding, newChallenge } from './challenge.ts';
import { compareCodeWithinLimit, noMatchingCode, type CheckError } from './compare-code.ts';
import { planSession } from './plan-session.ts';
import type { CodeClient, IfDeleted, OpenedSession, SessionlessChallenge } from './ports.ts';

export interface VerifyCodeInput extends CodeClient {
	readonly email: string;
	readonly code: string;
	/** Whether the client keeps cookies, so that it can become a known device. */
	readonly keepsCookies?: boolean;
	/** Used only when this verification creates the account. */
	readonly profile: Profile;
	readonly source: RequestSource;
	/** The current session of this browser, if any. The new one replaces it. */
	readonly currentToken: SessionToken | null;
	/** For the right code of a deleted account. */
	readonly ifDeleted: IfDeleted['then'];
}

export interface VerifiedCode extends OpenedSession {
	readonly created: boolean;
	/** How long ago the email with this code was requested, in whole seconds. */
	readonly secondsSinceSend: number;
}

export type VerifyCodeError =
	CheckError | ErrorOf<'account_deleted' | 'account_blocked' | 'address_reserved'>;

/** Turns the right code into a session. Creates an account when the email address has none. */
export const makeVerifyCode =
	(deps: UseCaseDeps) =>
	async (input: VerifyCodeInput): Promise<Result<VerifiedCode, VerifyCodeError>> => {
		const { policy, secretHasher } = deps;
		const parsed = parseEmail(input.email, deps.domainNames);
		if (!parsed.ok) return noMatchingCode;
		const email = parsed.value;

		const boundTo = clientBinding(secretHasher, input);
		const now = deps.clock.now();
		const attempt = { purpose: 'sign_in', email, boundTo } as const;
		const matched = await compareCodeWithinLimit(deps, input, attempt, input.code, now);
		if (!matched.ok) return matched;

		// Made in advance: the redemption finds out whether the account is deleted, and stores the grant.
		const restoreToken = newRestoreToken(deps.random);
		const { source, network: fairnessKey, profile, currentToken: old, presentedKey = null } = input;
		const becomesKnown = presentedKey !== null || input.keepsCookies === true;
		const about = { email, source, presentedKey, becomesKnown, fairnessKey };
		const { token, deviceKey, ...opening } = planSession(deps, about, now);
		// Stored with a new account, so that each account gets it once.
		const mails = [deps.outbox.prepare({ kind: 'welcome', to: email }, { now, fairnessKey })];
		const redeemed = await deps.signIns.redeem({
			...opening,
			challengeId: matched.value.id,
			account: deps.signUp === 'open' ? newAccount(deps.ids, email, profile, now, mails) : null,
			replaces: old === null ? [] : secretHasher.ofToken(old),
			ifDeleted:
				input.ifDeleted === 'offer'
					? { then: 'offer', grant: grantChallenge(deps, email, restoreToken, now) }
					: { then: input.ifDeleted }
		});
		if (redeemed === null) return noMatchingCode;
		if (redeemed.kind === 'blocked') return err({ code: 'account_blocked' });
		if (redeemed.kind === 'reserved') {
			const token = undoToken(deps.undoSigner, redeemed.undo);
			return err({ code: 'address_reserved', undoUntil: redeemed.until, undoToken: token });
		}
		if (redeemed.kind === 'deleted') {
			const purgeAt = secondsAfter(redeemed.deletedAt, policy.deletion.grace);
			const offered = input.ifDeleted === 'offer' ? restoreToken : null;
			return err({ code: 'account_deleted', purgeAt, restoreToken: offered });
		}

		const { user, created } = redeemed;
		if (created || redeemed.isReported) deps.outbox.wake();
		return ok({
			token,
			user,
			session: redeemed.session,
			deviceKey,
			created,
			secondsSinceSend: wholeSecondsSince(matched.value.createdAt, now)
		});
	};

/** Bound to its own token, which the browser keeps in a cookie. It has no code. */
const grantChallenge = (
	{ ids, secretHasher, policy }: UseCaseDeps,
	email: Email,
	token: RestoreToken,
	now: Date
): SessionlessChallenge =>
	newChallenge(
		{
			id: ids.next() as ChallengeId,
			requestedBy: null,
			purpose: 'account_restore',
			email,
			boundTo: secretHasher.ofRestoreToken(token)[0],
			secretHash: ''
		},
		{ requestedAt: now, attemptsUsed: 0 },
		secondsAfter(now, policy.deletion.restoreGrant)
	);
