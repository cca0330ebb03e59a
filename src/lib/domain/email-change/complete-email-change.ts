import type { Email } from '../email.ts';
import type { ErrorOf } from '../errors.ts';
import type { ChallengeId, Ids, SessionId, UndoId } from '../ids.ts';
import type { OutboxRow } from '../delivery/outbox-rows.ts';
import type { AuthPolicy } from '../policy.ts';
import type { Signer } from '../signer.ts';
import { secondsAfter } from '../time.ts';
import { undoToken } from './undo-link.ts';
import { noticeOf, type NoticeDeps } from './change-notices.ts';
import type { EmailChanged, EmailChanges } from './email-changes.ts';
import { err, ok, type Result } from '../result.ts';
import type { Device } from '../sessions/session.ts';
import type { User } from '../account/user.ts';

export interface CompleteEmailChangeDeps extends NoticeDeps {
	readonly emailChanges: EmailChanges;
	readonly undoSigner: Signer;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
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
	const id = deps.ids.next() as UndoId;
	const expiresAt = secondsAfter(now, deps.policy.emailChange.undoFor);
	const link = { undoToken: undoToken(deps.undoSigner, id), undoUntil: expiresAt };
	const noLink = { undoToken: null, undoUntil: null };
	const notice = (undo: typeof link | typeof noLink): readonly OutboxRow[] =>
		noticeOf(deps, { ...about, ...undo, at: now, device }, user.id);
	const undo = { id, expiresAt, emails: notice(link) };
	const emails = notice(noLink);
	const change = { challengeId, userId: user.id, from, to, keep: session, emails, undo };
	const changed = await deps.emailChanges.complete(change, now);
	if (changed === null) return null;
	if (changed === 'email_taken') return err({ code: 'email_taken' });
	deps.outbox.wake();
	return ok(changed);
};
