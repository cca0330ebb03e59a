import { and, eq, gt, gte, lte, or, sql } from 'drizzle-orm';
import type { UndoRight } from '#lib/domain/email-change/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UndoId, UserId } from '#lib/domain/ids.ts';
import { rowsOf, type Tables, type Transaction, type Work } from '../sql.ts';

/** The right of an address that has not expired. */
export interface FoundRight {
	readonly id: UndoId;
	readonly userId: UserId;
	readonly depth: number;
	readonly expiresAt: Date;
}

export function* rightOf(
	tx: Transaction,
	{ emailUndo: t }: Tables,
	email: Email,
	now: Date
): Work<FoundRight | null> {
	const { id, userId, depth, expiresAt } = t;
	const [found] = yield* rowsOf(
		tx
			.select({ id, userId, depth, expiresAt })
			.from(t)
			.where(and(eq(t.email, email), gt(t.expiresAt, now)))
	);
	return found ?? null;
}

/** Removes a right of the account and all later ones. Returns which. */
export function* endRights(
	tx: Transaction,
	{ emailUndo: t }: Tables,
	{ userId, depth }: Pick<FoundRight, 'userId' | 'depth'>
): Work<readonly UndoId[]> {
	const ended = yield* rowsOf(
		tx
			.delete(t)
			.where(and(eq(t.userId, userId), gte(t.depth, depth)))
			.returning({ id: t.id })
	);
	return ended.map(({ id }) => id);
}

/** Adds a right after all others of the account. The caller has locked the account. */
export function* addRight(
	tx: Transaction,
	{ emailUndo: t }: Tables,
	userId: UserId,
	{ from, to }: { readonly from: Email; readonly to: Email },
	{ id, expiresAt }: Pick<UndoRight, 'id' | 'expiresAt'>,
	now: Date
): Work<void> {
	// Expired rights of both addresses are in the way of the unique index, now or later. The account
	// held the address `from` until now, so older rights of that address are stale, whatever the clock
	// says.
	yield tx
		.delete(t)
		.where(or(eq(t.email, from), and(eq(t.email, to), lte(t.expiresAt, now))))
		.returning({ id: t.id });
	const depth = sql<number>`(select coalesce(max(${t.depth}), 0) + 1 from ${t} where ${t.userId} = ${userId})`;
	yield tx.insert(t).values({ id, userId, email: from, depth, expiresAt }).returning({ id: t.id });
}
