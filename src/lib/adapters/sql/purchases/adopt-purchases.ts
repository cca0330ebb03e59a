import { and, eq, isNull, sql } from 'drizzle-orm';
import type { NewAccount } from '#lib/domain/account/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import { lockValue, preparedStep, type Sql, type Transaction, type Work } from '../sql.ts';

/** Links the purchases that were made with the email address of a new account. */
export function* adoptPurchases(
	database: Sql,
	tx: Transaction,
	{ user }: NewAccount,
	email: Email
): Work<void> {
	// Neither transaction sees the other's uncommitted row. So a purchase that is recorded now
	// either is committed before this statement, or its own transaction finds the account.
	yield* lockValue(database, tx, email);
	yield* adopt(tx, database.tables, { email, userId: user.id });
}

const adopt = preparedStep((tx, { purchase }) =>
	tx
		.update(purchase)
		.set({ userId: sql`${sql.placeholder('userId')}` })
		.where(and(eq(purchase.email, sql.placeholder('email')), isNull(purchase.userId)))
		.returning({ id: purchase.id })
);
