import { and, eq, isNull } from 'drizzle-orm';
import type { Action, NotDone, Operators } from '#lib/domain/operators/ports.ts';
import type { Role } from '#lib/domain/user.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { remove } from '../account/accounts.ts';
import { completeChange } from '../email-change/email-changes.ts';
import { recordEvent } from '../events/record-event.ts';
import { endAll, endOne } from '../sessions/sessions.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';
import { sqlAccountLookup } from './lookup.ts';

export const sqlOperators = (database: Sql): Operators => {
	const { transaction } = database;
	return {
		...sqlAccountLookup(database),

		setRole: (email, role, now) => transaction((tx) => setRole(tx, email, role, now)),

		endSessions: (action, session) =>
			transaction((tx) =>
				acting(tx, action, function* () {
					if (session === null) return yield* endAll(tx, action.userId, null);
					const ended = yield* endOne(tx, action.userId, session);
					return ended === null ? 'unchanged' : [ended];
				})
			),

		block: (action) =>
			transaction((tx) =>
				acting(tx, action, function* ({ blockedAt }) {
					if (blockedAt !== null) return 'unchanged';
					// First what is pending, then the account: the order of all transactions on an account.
					const ended = yield* endAll(tx, action.userId, null);
					yield* set(tx, action, { blockedAt: action.now });
					yield* recordEvent(tx, 'blocked', action.userId);
					return ended;
				})
			),

		unblock: (action) =>
			transaction((tx) =>
				acting(tx, action, function* ({ blockedAt }) {
					if (blockedAt === null) return 'unchanged';
					yield* set(tx, action, { blockedAt: null });
					yield* recordEvent(tx, 'unblocked', action.userId);
					return action.userId;
				})
			),

		delete: (action, emails) =>
			transaction((tx) =>
				acting(tx, action, function* () {
					return (yield* remove(tx, action.userId, action.now, emails)) ?? 'unchanged';
				})
			),

		restore: (action) =>
			transaction((tx) =>
				acting(tx, action, function* ({ deletedAt }) {
					if (deletedAt === null) return 'unchanged';
					yield* set(tx, action, { deletedAt: null });
					yield* recordEvent(tx, 'restored', action.userId);
					return action.userId;
				})
			),

		changeEmail: (change, now) => completeChange(database, { ...change, keep: null }, now)
	};
};

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

/** One statement finds the account by its address and changes it: a concurrent move decides first. */
function* setRole(
	tx: Transaction,
	email: Email,
	role: Role | null,
	now: Date
): Work<UserId | NotDone> {
	const { user } = tx.tables;
	const isThere = and(eq(user.email, email), isNull(user.deletedAt));
	const [before] = yield* rowsOf(tx.select({ role: user.role }).from(user).where(isThere));
	if (before?.role === role) return 'unchanged';
	const [changed] = yield* rowsOf(
		tx.update(user).set({ role, updatedAt: now }).where(isThere).returning({ id: user.id })
	);
	if (changed === undefined) return 'gone';
	yield* recordEvent(tx, role === null ? 'role_revoked' : 'role_granted', changed.id);
	return changed.id;
}
