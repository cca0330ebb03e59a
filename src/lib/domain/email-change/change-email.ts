import type { RequestSource, Network } from '../client.ts';
import type { UseCaseDeps } from '../deps.ts';
import { parseEmail, type Email } from '../email.ts';
import { err, ok, type ErrorOf, type Result } from '../errors.ts';
import type { ChallengeId, SessionId, UndoId, UserId } from '../ids.ts';
import { NO_UNDO, type EmailChangeNoticeMail } from '../mail.ts';
import type { OutboxRow } from '../outbox.ts';
import {
	compareCodeWithinLimit,
	noMatchingCode,
	type CheckError
} from '../sign-in/compare-code.ts';
import { undoToken, type ChangeLinkToken } from '../signed-links.ts';
import { secondsAfter } from '../time.ts';
import type { User } from '../user.ts';
import { pendingChangeOfLink } from './change-link.ts';
import type { EmailChange, EmailChanged } from './ports.ts';

/** The account and session that confirm, as currently stored. */
export interface Confirmer {
	readonly user: Pick<User, 'id' | 'email'>;
	/** The session that confirms. It is the only one that survives. */
	readonly session: SessionId;
	readonly source: RequestSource;
}

const invalidChangeLink = err({ code: 'invalid_change_link' } as const);

/** Moves an account to the new email address, confirmed by the link that was sent there. */
export const makeChangeEmailByLink =
	(deps: UseCaseDeps) =>
	async (
		input: Confirmer & { readonly token: ChangeLinkToken }
	): Promise<Result<EmailChanged, ErrorOf<'invalid_change_link' | 'email_taken'>>> => {
		const now = deps.clock.now();
		const change = await pendingChangeOfLink(deps, input.user, input.token, now);
		if (change === null) return invalidChangeLink;
		const { id, email } = change;
		return (await completeEmailChange(deps, input, id, email, now)) ?? invalidChangeLink;
	};

interface ChangeEmailInput extends Confirmer {
	readonly network: Network;
	readonly newEmail: string;
	readonly code: string;
}

/** Moves an account to the new email address, confirmed by the code that was sent there. */
export const makeChangeEmailByCode =
	(deps: UseCaseDeps) =>
	async (
		input: ChangeEmailInput
	): Promise<Result<EmailChanged, CheckError | ErrorOf<'invalid_email' | 'email_taken'>>> => {
		const email = parseEmail(input.newEmail, deps.domainNames);
		if (!email.ok) return email;
		const { id, email: from } = input.user;
		const attempt = { purpose: 'email_change', email: email.value, boundTo: id, from } as const;
		const now = deps.clock.now();
		// A session proves nothing about the new email address, so it is an unknown client there.
		const client = { network: input.network };
		const matched = await compareCodeWithinLimit(deps, client, attempt, input.code, now);
		if (!matched.ok) return matched;
		const { id: challengeId } = matched.value;
		const completed = await completeEmailChange(deps, input, challengeId, email.value, now);
		return completed ?? noMatchingCode;
	};

/**
 * Applies a confirmed email change, by code or by link, and notifies the old email address. Returns
 * null when a concurrent request used the code or link first, or when the account has changed
 * meanwhile.
 */
const completeEmailChange = async (
	deps: UseCaseDeps,
	{ user, session, source }: Confirmer,
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
	const notices = noticesWithUndo(deps, now, (link) =>
		noticeOf(deps, { ...about, ...link, at: now, source }, user.id)
	);
	const change = { challengeId, userId: user.id, from, to, keep: session, ...notices };
	const changed = await deps.emailChanges.complete(change, now);
	if (changed === null) return null;
	if (changed === 'email_taken') return err({ code: 'email_taken' });
	deps.outbox.wake();
	return ok(changed);
};

/**
 * Prepares the notice to the old email address twice: with a link to undo, and without. The store
 * sends the first if it grants the right to undo.
 */
export const noticesWithUndo = (
	deps: UseCaseDeps,
	now: Date,
	notices: (link: Pick<EmailChangeNoticeMail, 'undoToken' | 'undoUntil'>) => readonly OutboxRow[]
): Pick<EmailChange, 'mailsWithoutUndo' | 'undo'> => {
	const id = deps.ids.next() as UndoId;
	const expiresAt = secondsAfter(now, deps.policy.emailChange.undoFor);
	const link = { undoToken: undoToken(deps.undoSigner, id), undoUntil: expiresAt };
	const undo = { id, expiresAt, mailsWithUndo: notices(link) };
	return { undo, mailsWithoutUndo: notices(NO_UNDO) };
};

/** The notice to store with a stage of an email change. Empty when there is none at this stage. */
export const noticeOf = (
	{ changeNotices, outbox }: UseCaseDeps,
	notice: EmailChangeNoticeMail,
	userId: UserId
): readonly OutboxRow[] =>
	changeNotices.stages.includes(notice.stage)
		? [outbox.prepare(notice, { now: notice.at, fairnessKey: userId })]
		: [];
