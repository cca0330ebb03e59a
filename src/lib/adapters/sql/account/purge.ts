import { and, inArray, isNull, lte, or, sql } from 'drizzle-orm';
import type { UserId } from '#lib/domain/ids.ts';
import { ACCESS_PURPOSES } from '#lib/domain/sign-in/ports.ts';
import { blankConsentRecords } from '../consent/user-data.ts';
import { atMost } from '../rows.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';

/** More than the number of codes these accounts can have. */
const ALL = 1_000_000;

/** Implements `accounts.purge`. */
export function* purge(
	tx: Transaction,
	tables: Tables,
	skipLocked: Sql['skipLocked'],
	deletedBefore: Date,
	limit: number
): Work<readonly UserId[]> {
	const { user, verification, authThrottle } = tables;
	const isDue = lte(user.deletedAt, deletedBefore);
	const candidates = yield* rowsOf(
		tx
			.select({ id: user.id, email: user.email })
			.from(user)
			.where(atMost(limit, user.id, isDue, skipLocked, [user.deletedAt]))
	);
	if (candidates.length === 0) return [];

	const emails = candidates.map((one) => one.email);
	const ids = candidates.map((one) => one.id);
	const theirs = or(
		and(inArray(verification.purpose, [...ACCESS_PURPOSES]), inArray(verification.email, emails)),
		inArray(verification.boundTo, ids)
	);
	// A transaction that uses a code locks the code and then waits for the account, which is locked
	// here. So a code in use is skipped, not waited for, and its account stays until the next
	// purge.
	yield tx
		.delete(verification)
		.where(atMost(ALL, verification.id, theirs, skipLocked))
		.returning({ id: verification.id });
	const inUse = yield* rowsOf(
		tx
			.select({ email: verification.email, boundTo: verification.boundTo })
			.from(verification)
			.where(theirs)
	);
	const free = candidates.filter(
		({ id, email }) => !inUse.some((code) => code.email === email || code.boundTo === id)
	);
	if (free.length === 0) return [];

	const [freeIds, freeEmails] = [free.map((one) => one.id), free.map((one) => one.email)];
	yield* blankConsentRecords(tx, tables, freeIds);
	const removed = yield* rowsOf(
		tx.delete(user).where(inArray(user.id, freeIds)).returning({ id: user.id })
	);
	yield tx
		.delete(authThrottle)
		.where(inArray(sql<string>`${authThrottle.key}`, [...freeIds]))
		.returning({ email: authThrottle.key });
	// Other email addresses of the same mailbox share its row, so recent sends must still count.
	const { key, sentAt1, sentAt2, sentAt3, sentAt4, sentAt5 } = authThrottle;
	const noNewSend = [sentAt1, sentAt2, sentAt3, sentAt4, sentAt5].map((sentAt) =>
		or(isNull(sentAt), lte(sentAt, deletedBefore))
	);
	yield tx
		.delete(authThrottle)
		.where(and(inArray(key, freeEmails), ...noNewSend))
		.returning({ key });
	yield tx
		.update(authThrottle)
		.set({ failures: 0, failedAt: null })
		.where(inArray(key, freeEmails))
		.returning({ key });
	return removed.map(({ id }) => id);
}
