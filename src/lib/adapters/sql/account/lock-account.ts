import { sql, type SQL } from 'drizzle-orm';
import type { Account } from '#lib/domain/account/ports.ts';
import { accountColumns } from '../rows.ts';
import { rowsOf, type Statement, type Transaction, type Work } from '../sql.ts';

export function* lockAccount(tx: Transaction, is: SQL | undefined): Work<Account | undefined> {
	const [account] = yield* rowsOf(lockStatement(tx, is));
	return account;
}

/** Locks by an update that changes nothing, because SQLite has no other way. */
export const lockStatement = (tx: Transaction, is: SQL | undefined): Statement<Account> =>
	tx
		.update(tx.tables.user)
		// Not a key column: locking one would also block rows that reference the account.
		.set({ updatedAt: sql`${tx.tables.user.updatedAt}` })
		.where(is)
		.returning(accountColumns(tx.tables));
