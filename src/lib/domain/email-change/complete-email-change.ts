import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { ChallengeId, SessionId } from '../ids.ts';
import { noticeOf, type NoticeDeps } from './change-notices.ts';
import type { EmailChanged, EmailChanges } from './email-changes.ts';
import { err, ok, type Result } from '../result.ts';
import type { Device } from '../sessions/session.ts';
import type { GuessWatch } from '../limits/guess-watch.ts';
import type { User } from '../account/user.ts';

export interface CompleteEmailChangeDeps extends NoticeDeps {
	readonly emailChanges: EmailChanges;
	readonly guessWatch: GuessWatch;
}

/** The account and session that confirm, as currently stored. */
export interface Confirmer {
	readonly user: Pick<User, 'id' | 'email'>;
	/** The session that confirms. It is the only one that survives. */
	readonly session: SessionId;
	readonly device: Device;
}

/**
 * Applies a confirmed email change, by code or by link, and notifies the old address. Returns
 * null when a concurrent request used the same proof first, or when the account has changed
 * meanwhile.
 */
export const completeEmailChange = async (
	deps: CompleteEmailChangeDeps,
	{ user, session, device }: Confirmer,
	challengeId: ChallengeId,
	to: Email,
	now: Date
): Promise<Result<EmailChanged, ErrorOf<'email_taken'>> | null> => {
	const from = user.email;
	const about = {
		kind: 'email_change_notice',
		to: from,
		newEmail: to,
		stage: 'completed'
	} as const;
	const emails = noticeOf(deps, { ...about, at: now, device }, user.id);
	const change = { challengeId, userId: user.id, from, to, keep: session, emails };
	const changed = await deps.emailChanges.complete(change, now);
	if (changed === null) return null;
	deps.guessWatch.right();
	if (changed === 'email_taken') return err({ code: 'email_taken' });
	deps.outbox.wake();
	return ok(changed);
};
