import { and, eq, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { Accounts } from '#lib/domain/account/ports.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { ACCESS_PURPOSES } from '#lib/domain/sign-in/ports.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import { blankConsentRecords } from '../consent/consents.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { blankEvents, recordEvent } from '../events/record-event.ts';
import { accountColumns, atMost, userColumns } from '../rows.ts';
import { SENT_AT } from '../limits/tables.ts';
import { deleteSessionsExcept, lockWithCodes } from '../locked-account.ts';
import { giveBackIfBlocked } from '../sign-in/challenges.ts';
import { rowsOf, type Sql, type Transaction, type Work } from '../sql.ts';

export const sqlAccounts = ({ db, tables, run, transaction }: Sql): Accounts => {
	const { user, verification } = tables;
	const columns = userColumns(tables);

	const find = db
		.select(accountColumns(tables))
		.from(user)
		.where(eq(user.email, sql.placeholder('email')))
		.prepare('account_find');

	return {
		find: async (email) => {
			const [row] = await run(() => find.execute({ email }));
			return row ?? null;
		},

		consumeChallenge: (challengeId) =>
			transaction(function* (tx) {
				const givenBack = yield* giveBackIfBlocked(tx, { id: challengeId });
				if (givenBack.length > 0) return 'blocked';
				const [used] = yield* rowsOf(
					tx
						.delete(verification)
						.where(eq(verification.id, challengeId))
						.returning({ email: verification.email })
				);
				if (used === undefined) return null;
				const [found] = yield* rowsOf(
					tx
						.select(columns)
						.from(user)
						.where(and(eq(user.email, used.email), isNull(user.deletedAt)))
				);
				return found ?? null;
			}),

		update: async (id, { name, image }, now) => {
			const [row] = await run(() =>
				db
					.update(user)
					.set({ name, image, updatedAt: now })
					.where(and(eq(user.id, id), isNull(user.deletedAt)))
					.returning(columns)
			);
			return row ?? null;
		},

		delete: (id, now, mails = []) => transaction((tx) => remove(tx, id, now, mails)),

		purge: (deletedBefore, limit) => transaction((tx) => purge(tx, deletedBefore, limit))
	};
};

function* remove(
	tx: Transaction,
	id: UserId,
	now: Date,
	mails: readonly OutboxRow[]
): Work<readonly SessionId[] | null> {
	const { user } = tx.tables;
	const account = yield* lockWithCodes(tx, and(eq(user.id, id), isNull(user.deletedAt)));
	if (account === undefined) return null;
	yield tx.update(user).set({ deletedAt: now, role: null, updatedAt: now }).where(eq(user.id, id));
	yield* addMails(tx, mails);
	yield* recordEvent(tx, 'deleted', id);
	return yield* deleteSessionsExcept(tx, id, null);
}

/** More than the number of codes these accounts can have. */
const ALL_CODES = 1_000_000;

function* purge(tx: Transaction, deletedBefore: Date, limit: number): Work<readonly UserId[]> {
	const { user, verification, authThrottle } = tx.tables;
	const isDue = lte(user.deletedAt, deletedBefore);
	const candidates = yield* rowsOf(
		tx
			.select({ id: user.id, email: user.email })
			.from(user)
			.where(atMost(limit, user.id, isDue, tx.skipLocked, [user.deletedAt]))
	);

	const emails = candidates.map((one) => one.email);
	const ids = candidates.map((one) => one.id);
	const isOfCandidate = or(
		and(inArray(verification.purpose, [...ACCESS_PURPOSES]), inArray(verification.email, emails)),
		inArray(verification.binding, ids)
	);
	// A transaction that uses a code locks the code and then waits for the account, which is locked
	// here. So a code in use is skipped, not waited for, and its account stays until the next
	// purge.
	yield tx
		.delete(verification)
		.where(atMost(ALL_CODES, verification.id, isOfCandidate, tx.skipLocked));
	const inUse = yield* rowsOf(
		tx
			.select({ email: verification.email, binding: verification.binding })
			.from(verification)
			.where(isOfCandidate)
	);
	const free = candidates.filter(
		({ id, email }) => !inUse.some((code) => code.email === email || code.binding === id)
	);
	if (free.length === 0) return [];

	const [freeIds, freeEmails] = [free.map((one) => one.id), free.map((one) => one.email)];
	yield* blankConsentRecords(tx, freeIds);
	for (const id of freeIds) yield* recordEvent(tx, 'purged', id);
	yield* blankEvents(tx, freeIds);
	const removed = yield* rowsOf(
		tx.delete(user).where(inArray(user.id, freeIds)).returning({ id: user.id })
	);
	yield tx.delete(authThrottle).where(inArray(sql<string>`${authThrottle.key}`, [...freeIds]));
	// Other email addresses of the same mailbox share its row, so recent sends must still count.
	const noNewSend = SENT_AT.map((name) =>
		or(isNull(authThrottle[name]), lte(authThrottle[name], deletedBefore))
	);
	yield tx.delete(authThrottle).where(and(inArray(authThrottle.key, freeEmails), ...noNewSend));
	yield tx
		.update(authThrottle)
		.set({ wrongCodes: 0, wrongCodeAt: null })
		.where(inArray(authThrottle.key, freeEmails));
	return removed.map(({ id }) => id);
}
