import { and, desc, eq, getTableColumns, gt, inArray, isNull, lte, or } from 'drizzle-orm';
import type {
	AccountAt,
	EmailChange,
	ChangeResult,
	EmailChanged,
	EmailChanges
} from '#lib/domain/email-change/ports.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { EMAIL_CHANGE_PURPOSES, type SessionChallenge } from '#lib/domain/sign-in/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { markDevicesUnknown } from '../sessions/devices.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { recordEvent } from '../events/record-event.ts';
import { toChallenge, toRow } from '../sign-in/challenges.ts';
import { addRight, endRights, undoRightOf } from './email-undos.ts';
import {
	onViolation,
	RollBack,
	rowsOf,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';
import {
	changeAccount,
	deleteSessionsExcept,
	lockAccount,
	lockSessions,
	revokeChanges,
	revokeCodes
} from '../locked-account.ts';

export const sqlEmailChanges = ({ db, tables, run, transaction }: Sql): EmailChanges => {
	const { verification: t, session, user } = tables;
	return {
		request: (challenge, account, now, mails = []) =>
			transaction((tx) => request(tx, challenge, account, now, mails)),

		pendingOf: async (userId, now, purpose) => {
			const purposes = purpose ? [purpose] : [...EMAIL_CHANGE_PURPOSES];
			const ofAccount = and(eq(t.binding, userId), inArray(t.purpose, purposes));
			const [row] = await run(() =>
				db
					.select(getTableColumns(t))
					.from(t)
					.innerJoin(session, eq(session.id, t.requestedBy))
					.where(and(ofAccount, gt(t.expiresAt, now), gt(session.expiresAt, now)))
					.orderBy(desc(t.createdAt), desc(t.id))
					.limit(1)
			);
			return toChallenge(row);
		},

		cancel: (userId) =>
			transaction(function* (tx) {
				// All transactions lock these rows in the same order: the account, its sessions, what the
				// sessions requested. Ending a session deletes its requests too, so another order could
				// deadlock.
				yield* lockAccount(tx, eq(user.id, userId));
				// Only locks. The result is not used, so the time does not matter.
				yield* lockSessions(tx, userId, new Date(0));
				yield* revokeChanges(tx, userId);
			}),

		complete: (change, now) =>
			transaction<ChangeResult>((tx) => complete(tx, change, now)).catch(
				onViolation('unique', 'email_taken' as const)
			)
	};
};

function* request(
	tx: Transaction,
	challenge: SessionChallenge,
	{ userId, from }: AccountAt,
	now: Date,
	mails: readonly OutboxRow[]
): Work<void> {
	const { verification: t } = tx.tables;
	// Handles one request per account at a time, so that each sees the results of earlier ones for
	// any email address. The unique index covers only requests for the same address.
	const account = yield* lockAccount(tx, activeAt(tx.tables, userId, from));
	if (account === undefined) return;
	const sessions = yield* lockSessions(tx, userId, now);
	if (!sessions.includes(challenge.requestedBy)) return;

	const values = toRow(challenge);
	const earlier = and(eq(t.binding, values.binding), eq(t.purpose, challenge.purpose));
	const replaceable = or(lte(t.createdAt, challenge.createdAt), gt(t.createdAt, now));
	yield tx.delete(t).where(and(earlier, replaceable));
	const later = yield* rowsOf(tx.select({ id: t.id }).from(t).where(earlier));
	if (later.length > 0) return;
	yield tx.insert(t).values(values);
	yield* addMails(tx, mails);
}

function* complete(
	tx: Transaction,
	{ challengeId, userId, from, to, keep, mailsWithoutUndo, undo, reason = to }: EmailChange,
	now: Date
): Work<EmailChanged | RollBack<'email_taken' | null>> {
	const { verification: t, user } = tx.tables;
	yield* revokeCodes(tx, from);
	// Concurrent completions wait here. After one succeeds, the others no longer find the account
	// at `from`.
	const account = yield* lockAccount(tx, activeAt(tx.tables, userId, from));
	if (account === undefined) return new RollBack(null);
	const sessions = yield* lockSessions(tx, userId, now);
	if (keep !== null && !sessions.includes(keep)) return new RollBack(null);
	const isRequested =
		keep === null ? eq(t.purpose, 'operator_email_change') : inArray(t.requestedBy, [...sessions]);
	const isThisOne = and(eq(t.id, challengeId), eq(t.binding, userId), eq(t.email, to));
	const [consumed] = yield* rowsOf(
		tx.delete(t).where(and(isThisOne, isRequested)).returning({ id: t.id })
	);
	if (consumed === undefined) return new RollBack(null);

	// Two accounts that swap their email addresses at once would deadlock at the update.
	const holders = yield* rowsOf(tx.select({ id: user.id }).from(user).where(eq(user.email, to)));
	if (holders.some(({ id }) => id !== userId)) return new RollBack('email_taken');
	const changed = yield* changeAccount(tx, userId, { email: to, role: null, updatedAt: now });
	// After the update: it waits for a change that takes or leaves the new email address now.
	const undoRight = yield* undoRightOf(tx, to, now);
	if (undoRight !== null && undoRight.userId !== userId) return new RollBack('email_taken');
	if (undoRight === null) yield* addRight(tx, userId, { from, to }, undo, now);
	else yield* endRights(tx, undoRight);
	yield* addMails(tx, undoRight === null ? undo.mailsWithUndo : mailsWithoutUndo);
	yield* recordEvent(tx, 'email_changed', userId, { detail: reason });
	const ended = yield* deleteSessionsExcept(tx, userId, keep, markDevicesUnknown);
	return { user: changed, ended };
}

const activeAt = ({ user }: Tables, userId: UserId, from: Email): ReturnType<typeof and> =>
	and(eq(user.id, userId), eq(user.email, from), isNull(user.deletedAt));
