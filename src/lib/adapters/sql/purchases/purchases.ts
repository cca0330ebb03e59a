import { and, desc, eq, exists, isNull, or, sql } from 'drizzle-orm';
import type { NewAccount } from '#lib/domain/account/ports.ts';
import type { Purchase, Purchases } from '#lib/domain/purchases/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import { preparedStep, rowsOf, type Sql, type Transaction, type Work } from '../sql.ts';

export const sqlPurchases = (database: Sql): Purchases => {
	const { db, tables, run, transaction } = database;
	const { user, purchase: t } = tables;

	return {
		record: (purchase) => transaction((tx) => record(tx, purchase)),

		find: async (reference) => {
			const [row] = await run(() => db.select().from(t).where(eq(t.reference, reference)));
			return row ?? null;
		},

		claim: async (reference, { id, email }) => {
			const isActive = and(eq(user.id, id), isNull(user.deletedAt));
			const isTheirs = or(eq(t.userId, id), and(isNull(t.userId), eq(t.email, email)));
			const account = db.select({ id: user.id }).from(user).where(isActive);
			const claimed = await run(() =>
				db
					.update(t)
					.set({ userId: id })
					.where(and(eq(t.reference, reference), isTheirs, exists(account)))
					.returning({ id: t.id })
			);
			return claimed.length === 1;
		},

		listOf: (userId) =>
			run(() =>
				db.select().from(t).where(eq(t.userId, userId)).orderBy(desc(t.createdAt), desc(t.id))
			)
	};
};

function* record(tx: Transaction, purchase: Omit<Purchase, 'userId'>): Work<void> {
	const { user, purchase: t } = tx.tables;
	const [added] = yield* rowsOf(
		tx
			.insert(t)
			.values(purchase)
			.onConflictDoNothing({ target: t.reference })
			.returning({ id: t.id })
	);
	if (added === undefined) return;

	// A concurrent sign-up with this email address either commits before the next statement reads, or
	// links the purchase itself.
	const { id, email } = purchase;
	yield* tx.lockValue(email);
	const owner = tx
		.select({ id: user.id })
		.from(user)
		.where(and(eq(user.email, email), isNull(user.deletedAt)));
	yield tx
		.update(t)
		.set({ userId: sql`${owner}` })
		.where(eq(t.id, id));
}

export function* linkPurchases(tx: Transaction, { user }: NewAccount, email: Email): Work<void> {
	// Neither transaction sees the other's uncommitted row. So a purchase that is recorded now
	// either is committed before this statement, or its own transaction finds the account.
	yield* tx.lockValue(email);
	yield* linkUnclaimed(tx, { email, userId: user.id });
}

const linkUnclaimed = preparedStep((tx, { purchase }) =>
	tx
		.update(purchase)
		.set({ userId: sql`${sql.placeholder('userId')}` })
		.where(and(eq(purchase.email, sql.placeholder('email')), isNull(purchase.userId)))
		.returning({ id: purchase.id })
);
