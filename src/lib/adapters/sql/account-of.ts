import { and, eq, isNull } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import type { NewAccount, User } from '#lib/domain/user.ts';
import { userColumns } from './rows.ts';
import { rowsOf, type Tables, type Transaction, type Work } from './sql.ts';
import { lockAccount } from './void.ts';

export interface AccountOf {
	readonly user: User;
	readonly deletedAt: Date | null;
	readonly created: boolean;
}

/**
 * The account of an address, held until the transaction ends: what deletes or moves it at the same
 * time comes wholly before or wholly after. Created where there is none, unless `account` is null.
 */
export function* accountOf(
	tx: Transaction,
	tables: Tables,
	email: Email,
	account: NewAccount | null
): Work<AccountOf | null> {
	for (;;) {
		const found = yield* lockAccount(tx, tables, eq(tables.user.email, email));
		if (found !== undefined) {
			const { deletedAt, ...user } = found;
			return { user, deletedAt, created: false };
		}
		if (account === null) return null;
		// The unique index decides who creates: an insert beside this one is waited for.
		const [user] = yield* rowsOf(
			tx
				.insert(tables.user)
				.values({ ...account.user, email })
				.onConflictDoNothing({ target: tables.user.email })
				.returning(userColumns(tables))
		);
		if (user === undefined) continue;

		const { userData, purchase } = tables;
		yield tx.insert(userData).values(account.userData).returning({ userId: userData.userId });
		yield tx
			.update(purchase)
			.set({ userId: user.id })
			.where(and(eq(purchase.email, email), isNull(purchase.userId)))
			.returning({ id: purchase.id });
		return { user, deletedAt: null, created: true };
	}
}
