import { eq } from 'drizzle-orm';
import type { Action, NotDone, Operators } from '#lib/domain/operators/ports.ts';
import { endAll } from './sessions/sessions.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from './sql.ts';

export const sqlOperators = ({ transaction }: Sql): Operators => ({
	block: (action) =>
		transaction((tx) =>
			acting(tx, action, function* ({ blockedAt }) {
				if (blockedAt !== null) return 'unchanged';
				// First what is pending, then the account: the order of all transactions on an account.
				const ended = yield* endAll(tx, action.userId, null);
				yield* set(tx, action, { blockedAt: action.now });
				return ended;
			})
		),

	unblock: (action) =>
		transaction((tx) =>
			acting(tx, action, function* ({ blockedAt }) {
				if (blockedAt === null) return 'unchanged';
				yield* set(tx, action, { blockedAt: null });
				return action.userId;
			})
		)
});

type Row = Tables['user']['$inferSelect'];

/** Does the work unless the account is gone, or is that of an operator and must not be. */
function* acting<T>(
	tx: Transaction,
	{ userId, mayBeOperator }: Action,
	work: (account: Row) => Work<T | NotDone>
): Work<T | NotDone> {
	const { user } = tx.tables;
	const [account] = yield* rowsOf(tx.select().from(user).where(eq(user.id, userId)));
	if (account === undefined) return 'gone';
	if (account.role !== null && !mayBeOperator) return 'is_operator';
	return yield* work(account);
}

function* set(
	tx: Transaction,
	{ userId, now }: Action,
	change: Partial<Pick<Row, 'blockedAt' | 'deletedAt'>>
): Work<void> {
	const { user } = tx.tables;
	yield tx
		.update(user)
		.set({ ...change, updatedAt: now })
		.where(eq(user.id, userId))
		.returning({ id: user.id });
}
