import { and, desc, eq, exists, isNull, or, sql } from 'drizzle-orm';
import type { UserId } from '#lib/domain/ids.ts';
import type { Purchases } from '#lib/domain/purchases/purchases.ts';
import type { Purchase } from '#lib/domain/purchases/purchase.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';

export const sqlPurchases = ({ db, tables, run, transaction }: Sql): Purchases => {
	const { user, purchase: t } = tables;

	const find = db
		.select()
		.from(t)
		.where(eq(t.reference, sql.placeholder('reference')))
		.prepare('purchase_find');

	const claim = db
		.update(t)
		.set({ userId: sql`${sql.placeholder('userId')}` })
		.where(
			and(
				eq(t.reference, sql.placeholder('reference')),
				or(
					eq(t.userId, sql.placeholder('userId')),
					and(isNull(t.userId), eq(t.email, sql.placeholder('email')))
				),
				exists(
					db
						.select({ id: user.id })
						.from(user)
						.where(and(eq(user.id, sql.placeholder('userId')), isNull(user.deletedAt)))
				)
			)
		)
		.returning({ id: t.id })
		.prepare('purchase_claim');

	const listOf = db
		.select()
		.from(t)
		.where(eq(t.userId, sql.placeholder('userId')))
		.orderBy(desc(t.createdAt), desc(t.id))
		.prepare('purchase_list_of');

	return {
		record: (purchase) => transaction((tx) => record(tx, tables, purchase)),

		find: async (reference) => {
			const [row] = await run(() => find.execute({ reference }));
			return row ?? null;
		},

		claim: async (reference, { id, email }) => {
			const claimed = await run(() => claim.execute({ reference, userId: id, email }));
			return claimed.length === 1;
		},

		listOf: (userId) => run(() => listOf.execute({ userId }))
	};
};

function* record(tx: Transaction, tables: Tables, purchase: Purchase): Work<void> {
	const { user, purchase: t } = tables;
	const [kept] = yield* rowsOf(
		tx
			.insert(t)
			.values(purchase)
			.onConflictDoNothing({ target: t.reference })
			.returning({ id: t.id })
	);
	if (kept === undefined || purchase.userId !== null) return;

	// A temporary account row with this address holds the unique index. It blocks a concurrent
	// sign-up and waits for one in progress. Otherwise neither transaction would see the other's
	// uncommitted row, and the purchase would stay without an account. The row is never visible
	// outside this transaction.
	const { id, email, createdAt } = purchase;
	const place = { id: id as string as UserId, email, emailVerified: false, createdAt };
	const [free] = yield* rowsOf(
		tx
			.insert(user)
			.values({ ...place, updatedAt: createdAt })
			.onConflictDoNothing({ target: user.email })
			.returning({ id: user.id })
	);
	if (free !== undefined) {
		yield tx.delete(user).where(eq(user.id, free.id)).returning({ id: user.id });
		return;
	}
	const owner = tx
		.select({ id: user.id })
		.from(user)
		.where(and(eq(user.email, email), isNull(user.deletedAt)));
	yield tx
		.update(t)
		.set({ userId: sql`${owner}` })
		.where(eq(t.id, id))
		.returning({ id: t.id });
}
