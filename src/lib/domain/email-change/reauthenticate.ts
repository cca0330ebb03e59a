import type { RequestSource, Network } from '../client.ts';
import { deliverNow } from '../delivery/send-or-retry-mail.ts';
import type { UseCaseDeps } from '../deps.ts';
import type { Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import { throttleSend, type SendError } from '../limits/throttle-send.ts';
import type { Session } from '../sessions/ports.ts';
import { isFreshlySignedIn } from '../sessions/session.ts';
import { attemptsLeft, newCode } from '../sign-in/challenge.ts';
import { compareCode, noMatchingCode, type CodeError } from '../sign-in/compare-code.ts';
import type { User } from '../user.ts';

/** A request that needs more than a session once the session's sign-in is too old. */
export interface SensitiveRequest {
	/** As currently stored, not from a cache. */
	readonly user: Pick<User, 'id' | 'email'>;
	readonly session: Pick<Session, 'id' | 'createdAt'>;
	/** The only email address that the code is valid for. */
	readonly newEmail: Email;
	readonly source: RequestSource;
	readonly network: Network;
}

export type ReauthenticateError =
	CodeError | SendError | ErrorOf<'session_not_fresh' | 'delivery_failed' | 'mail_busy'>;

/**
 * Whether a request needs a code from the current email address: a stolen session alone must not
 * move an account. A fresh session needs none.
 */
export const makeMustReauthenticate =
	(deps: UseCaseDeps) =>
	(session: Pick<Session, 'createdAt'>): boolean =>
		deps.reauthentication && !isFreshlySignedIn(session, deps.clock.now(), deps.policy);

/** About the code that was sent to the current email address. Null if none can still be entered. */
export const makeReadReauthenticationCode =
	({ challenges, clock, policy }: UseCaseDeps) =>
	async (
		session: Pick<Session, 'id'>
	): Promise<{ readonly expiresAt: Date; readonly sentAt: Date } | null> => {
		const challenge = await challenges.latestOf(session.id, 'reauthentication');
		if (challenge === null || challenge.expiresAt <= clock.now()) return null;
		if (attemptsLeft(challenge, policy) === 0) return null;
		return { expiresAt: challenge.expiresAt, sentAt: challenge.createdAt };
	};

/**
 * Compares the code from the current email address and uses it up. It is bound to the session and
 * to the new address, and ends with the session. Call this last, when nothing else can refuse the
 * request: the code works only once.
 */
export const reauthenticate = async (
	deps: UseCaseDeps,
	{ user, session, newEmail }: SensitiveRequest,
	code: string
): Promise<Result<null, CodeError>> => {
	const attempt = { purpose: 'reauthentication', email: user.email, boundTo: session.id } as const;
	const matched = await compareCode(deps, { ...attempt, newEmail }, code, deps.clock.now());
	if (!matched.ok) return matched;
	// A concurrent request may have used it first, or blocked the account, which ends the session.
	const confirmed = await deps.accounts.consumeChallenge(matched.value.id);
	return confirmed === null || confirmed === 'blocked' ? noMatchingCode : ok(null);
};

/** Sends the code to the current email address. Returns `session_not_fresh` or why it failed. */
export const sendReauthenticationCode = async (
	deps: UseCaseDeps,
	{ user, session, newEmail, source, network }: SensitiveRequest
): Promise<Result<never, ReauthenticateError>> => {
	const { email } = user;
	// A live session counts as a known device of its account.
	const allowed = await throttleSend(deps, {
		email,
		account: user.id,
		isKnown: true,
		isBound: true,
		network
	});
	if (!allowed.ok) return allowed;
	const bound = { purpose: 'reauthentication', email, newEmail, boundTo: session.id } as const;
	const code = await newCode(deps, { ...bound, requestedBy: session.id }, allowed.value);
	// The email goes first: if sending fails, the code sent earlier stays valid.
	const mail = { kind: 'reauthentication_code', ...code.mail, newEmail, source } as const;
	const sent = await deliverNow(deps, mail, code.id, allowed.value);
	if (!sent.ok) {
		// The form has a field for the new email address, and this is the current one.
		const isRefused = sent.error.code === 'address_refused';
		return err(isRefused ? { code: 'delivery_failed' } : sent.error);
	}
	const now = deps.clock.now();
	const change = { userId: user.id, from: email };
	await deps.emailChanges.request(code.challengeFrom(now), change, now);
	deps.codeCounts.count('code_sent', email);
	return err({ code: 'session_not_fresh' });
};
