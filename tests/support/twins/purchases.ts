import { and, eq, isNull } from 'drizzle-orm';
import { sqlPurchases } from '#lib/adapters/sql/purchases/purchases.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Purchases } from '#lib/domain/purchases/ports.ts';

/** Reads the account, then stores the purchase; reads its owner, then claims it. */
export const naivePurchases = (sql: Sql): Purchases => {
	const { db, tables, run } = sql;
	const { user, purchase: t } = tables;
	return {
		...sqlPurchases(sql),

		record: async (purchase) => {
			const [owner] = await run(() =>
				db
					.select({ id: user.id })
					.from(user)
					.where(and(eq(user.email, purchase.email), isNull(user.deletedAt)))
			);
			await run(() =>
				db
					.insert(t)
					.values({ ...purchase, userId: owner?.id ?? null })
					.onConflictDoNothing()
					.returning()
			);
		},

		claim: async (reference, { id, email }) => {
			const isIt = eq(t.reference, reference);
			const [row] = await run(() => db.select().from(t).where(isIt));
			if (row === undefined || row.email !== email) return false;
			if (row.userId !== null) return row.userId === id;
			await run(() => db.update(t).set({ userId: id }).where(isIt).returning());
			return true;
		}
	};
};

/**
 * Stores the purchase and then links it, in one transaction, but does not wait for an account that
 * is being created: neither transaction sees the uncommitted rows of the other.
 */
export const unheldPurchases = (sql: Sql): Purchases => {
	const { user, purchase: t } = sql.tables;
	return {
		...sqlPurchases(sql),
		record: (purchase) =>
			sql.transaction(function* (tx) {
				yield tx.insert(t).values(purchase).onConflictDoNothing().returning();
				const owner = tx
					.select({ id: user.id })
					.from(user)
					.where(and(eq(user.email, purchase.email), isNull(user.deletedAt)));
				const found = (yield owner) as { id: typeof user.$inferSelect.id }[];
				yield tx
					.update(t)
					.set({ userId: found[0]?.id ?? null })
					.where(eq(t.id, purchase.id))
					.returning();
			})
	};
};
