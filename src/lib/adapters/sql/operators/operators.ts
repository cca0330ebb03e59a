import { and, eq, isNotNull, isNull, type SQL } from 'drizzle-orm';
import type { EventKind } from '#lib/domain/events/ports.ts';
import type { Action, NotDone, Operators } from '#lib/domain/operators/ports.ts';
import type { Role } from '#lib/domain/user.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { remove } from '../account/accounts.ts';
import { completeChange } from '../email-change/email-changes.ts';
import { recordEvent } from '../events/record-event.ts';
import { endAll, endOne } from '../sessions/sessions.ts';
import { RollBack, rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';
import { sqlAccountLookup } from './lookup.ts';

export const sqlOperators = (database: Sql): Operators => {
	const { transaction, tables } = database;
	const { user } = tables;
	/** Tries again with the new state when a concurrent action changed it: then it says why not. */
	const act = async <T>(
		action: Action,
		work: (tx: Transaction, account: Row) => Work<T | NotDone | Again>
	): Promise<T | NotDone> => {
		for (;;) {
			const outcome = await transaction<T | NotDone | 'again'>((tx) => acting(tx, action, work));
			if (outcome !== 'again') return outcome;
		}
	};
	return {
		...sqlAccountLookup(database),

		setRole: (email, role, now) => transaction((tx) => setRole(tx, email, role, now)),

		endSessions: (action, session) =>
			act(action, function* (tx) {
				const ended =
					session === null
						? yield* endAll(tx, action.userId, null)
						: yield* endOne(tx, action.userId, session);
				// Somebody can have become an operator since the first look.
				const rows = yield* rowsOf(tx.select().from(user).where(isTarget(tx, action)));
				if (rows.length === 0) return new RollBack('again');
				return typeof ended === 'string' ? [ended] : (ended ?? 'unchanged');
			}),

		block: (action) =>
			act(action, function* (tx, { blockedAt }) {
				if (blockedAt !== null) return 'unchanged';
				// First what is pending, then the account: the order of all transactions on an account.
				const ended = yield* endAll(tx, action.userId, null);
				const is = isNull(user.blockedAt);
				return (yield* set(tx, action, is, { blockedAt: action.now }, 'blocked')) ?? ended;
			}),

		unblock: (action) =>
			act(action, function* (tx, { blockedAt }) {
				if (blockedAt === null) return 'unchanged';
				const is = isNotNull(user.blockedAt);
				return (yield* set(tx, action, is, { blockedAt: null }, 'unblocked')) ?? action.userId;
			}),

		delete: (action, emails) =>
			act(action, function* (tx, { deletedAt }) {
				if (deletedAt !== null) return 'unchanged';
				const ended = yield* remove(tx, action.userId, action.now, emails, isTarget(tx, action));
				return ended ?? new RollBack('again');
			}),

		restore: (action) =>
			act(action, function* (tx, { deletedAt }) {
				if (deletedAt === null) return 'unchanged';
				const is = isNotNull(user.deletedAt);
				return (yield* set(tx, action, is, { deletedAt: null }, 'restored')) ?? action.userId;
			}),

		changeEmail: (change, now) => completeChange(database, { ...change, keep: null }, now)
	};
};

type Row = Tables['user']['$inferSelect'];
type Again = RollBack<'again'>;

/** The account of an action, if it can act on it. */
const isTarget = ({ tables: { user } }: Transaction, { userId, mayBeOperator }: Action) =>
	and(eq(user.id, userId), mayBeOperator ? undefined : isNull(user.role));

/** Does the work unless the account is gone, or is that of an operator and must not be. */
function* acting<T>(
	tx: Transaction,
	{ userId, mayBeOperator }: Action,
	work: (tx: Transaction, account: Row) => Work<T | NotDone | Again>
): Work<T | NotDone | Again> {
	const { user } = tx.tables;
	const [account] = yield* rowsOf(tx.select().from(user).where(eq(user.id, userId)));
	if (account === undefined) return 'gone';
	if (account.role !== null && !mayBeOperator) return 'is_operator';
	return yield* work(tx, account);
}

/** Changes and records the state of an account that is as it was read. Null when it did. */
function* set(
	tx: Transaction,
	action: Action,
	is: SQL,
	change: Partial<Pick<Row, 'blockedAt' | 'deletedAt'>>,
	kind: EventKind
): Work<Again | null> {
	const { user } = tx.tables;
	const changed = yield* rowsOf(
		tx
			.update(user)
			.set({ ...change, updatedAt: action.now })
			.where(and(isTarget(tx, action), is))
			.returning({ id: user.id })
	);
	if (changed.length === 0) return new RollBack('again');
	yield* recordEvent(tx, kind, action.userId);
	return null;
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
