import type { SessionRequest } from '../challenge.ts';
import { generateCode } from '../code.ts';
import type { Email } from '../email.ts';
import { err, ok, type Result } from '../result.ts';
import type { ErrorOf } from '../errors.ts';
import type { ChallengeId } from '../ids.ts';
import type { Accounts } from '../ports/accounts.ts';
import type { EmailChanges } from '../ports/email-changes.ts';
import type { Ids } from '../ports/ids.ts';
import type { Mailer } from '../ports/mailer.ts';
import type { Random } from '../ports/random.ts';
import { isFreshlySignedIn, type Device, type Session } from '../session.ts';
import { secondsAfter } from '../time.ts';
import type { User } from '../user.ts';
import { admitSend, type AdmitSendDeps } from './admit-send.ts';
import { compareCode, notACode, type CodeError, type CompareCodeDeps } from './compare-code.ts';
import { deliverNow } from './deliver.ts';

/** A request that a session alone may not make once its sign-in is some time ago. */
export interface SensitiveRequest {
	/** As the store has them now, not a cache. */
	readonly user: Pick<User, 'id' | 'email'>;
	readonly session: Pick<Session, 'id' | 'createdAt'>;
	/** The only address that the code is good for. */
	readonly newEmail: Email;
	/** The code that was sent to the current address; null before one was sent. */
	readonly code: string | null;
	readonly device: Device;
}

export type ReauthenticateError =
	CodeError | ErrorOf<'session_not_fresh' | 'too_many_sends' | 'delivery_failed' | 'mail_busy'>;

export interface ReauthenticateDeps extends AdmitSendDeps, CompareCodeDeps {
	readonly accounts: Accounts;
	readonly emailChanges: EmailChanges;
	readonly mailer: Mailer;
	readonly random: Random;
	readonly ids: Ids;
	/** Whether this installation asks for it at all. */
	readonly reauthentication: boolean;
}

/**
 * Lets a fresh session pass. Any other session needs a code from the current address, so that a
 * stolen session alone moves no account: the first call sends it (`session_not_fresh`), the next
 * one brings it. The code is bound to the session and to the new address, and ends with the session.
 */
export const reauthenticate = async (
	deps: ReauthenticateDeps,
	request: SensitiveRequest
): Promise<Result<null, ReauthenticateError>> => {
	const now = deps.clock.now();
	if (!deps.reauthentication || isFreshlySignedIn(request.session, now, deps.policy)) {
		return ok(null);
	}
	const { user, session, newEmail, code } = request;
	if (code === null) return sendCode(deps, request);
	const guess = { purpose: 'reauthentication', email: user.email, boundTo: session.id } as const;
	const right = await compareCode(deps, { ...guess, newEmail }, code, now);
	if (!right.ok) return right;
	return (await deps.accounts.confirmEmail(right.value.id)) === null ? notACode : ok(null);
};

const sendCode = async (
	deps: ReauthenticateDeps,
	{ user, session, newEmail, device }: SensitiveRequest
): Promise<Result<never, ReauthenticateError>> => {
	const admitted = await admitSend(deps, user.email);
	// An account has no address that cannot be parsed; if it had, nothing could be sent there.
	if (!admitted.ok) {
		return admitted.error.code === 'invalid_email'
			? err({ code: 'delivery_failed' })
			: err(admitted.error);
	}
	const { email, askedAt, attempts } = admitted.value;
	const { lifetime } = deps.policy.code;
	const bound = { purpose: 'reauthentication', email, boundTo: session.id } as const;
	const code = generateCode(deps.random, deps.codeShape);
	const codeHash = await deps.codeHasher.hash({ ...bound, newEmail, code });
	// The email goes first: when it is not handed over, the code sent earlier stays valid.
	const mail = { kind: 'reauthentication_code', to: email, newEmail, code, lifetime } as const;
	const sent = await deliverNow(deps, { ...mail, at: askedAt, device }, askedAt);
	if (!sent.ok) return sent;
	const now = deps.clock.now();
	const challenge: SessionRequest = {
		...bound,
		id: deps.ids.next() as ChallengeId,
		requestedBy: session.id,
		codeHash,
		attempts,
		expiresAt: secondsAfter(now, lifetime),
		createdAt: askedAt
	};
	await deps.emailChanges.request(challenge, { userId: user.id, from: email }, now);
	return err({ code: 'session_not_fresh' });
};
