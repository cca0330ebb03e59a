import { and, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import type { SessionId } from '#lib/domain/ids.ts';
import { mailboxOf } from '#lib/domain/limits/mailbox.ts';
import type { Action, NotDone, Operators } from '#lib/domain/operators/ports.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { addEmails } from '../delivery/outbox-rows.ts';
import { completeChange } from '../email-change/email-changes.ts';
import { recordEvent } from '../events/record-event.ts';
import { userColumns } from '../rows.ts';
import { lockAccount } from '../sessions/revocation.ts';
import { endAll, endOne } from '../sessions/sessions.ts';
import { RollBack, rowsOf, type Sql, type Transaction, type Work } from '../sql.ts';

/** Sorts after every character of an email address. */
const LAST = '\u{10ffff}';

export const sqlOperators = (database: Sql): Operators => {
	const { db, tables, run, transaction } = database;
	const { user, authThrottle } = tables;
	const { deletedAt, blockedAt, role } = user;
	const accounts = () =>
		db.select({ ...userColumns(tables), deletedAt, blockedAt, role }).from(user);

	return {
		isOperator: async (id) => {
			const isActive = and(isNull(deletedAt), isNull(blockedAt));
			const isIt = and(eq(user.id, id), eq(role, 'operator'), isActive);
			return (await run(() => accounts().where(isIt))).length > 0;
		},

		list: ({ prefix, after, limit }) => {
			// A range of the index of email addresses, which sorts by bytes on both engines.
			const range = and(
				gte(user.email, prefix as Email),
				after === null ? undefined : gt(user.email, after as Email),
				lt(user.email, (prefix + LAST) as Email)
			);
			return run(() => accounts().where(range).orderBy(user.email).limit(limit));
		},

		find: async (id) => {
			const [found] = await run(() => accounts().where(eq(user.id, id)));
			return found ?? null;
		},

		sendsOf: async ({ id, email }) => {
			const mailbox = mailboxOf(email);
			const isCount = inArray(sql<string>`${authThrottle.key}`, [mailbox, id, email]);
			const counts = await run(() => db.select().from(authThrottle).where(isCount));
			const rowOf = (key: string) => counts.find((row) => row.key === key);
			const sentTo = (key: string): readonly Date[] => {
				const { sentAt1, sentAt2, sentAt3, sentAt4, sentAt5 } = rowOf(key) ?? {};
				return [sentAt1, sentAt2, sentAt3, sentAt4, sentAt5].filter((at) => at instanceof Date);
			};
			const wrongGuesses = rowOf(email)?.failures ?? 0;
			return { mailbox: sentTo(mailbox), devices: sentTo(id), wrongGuesses };
		},

		act: (action, now, emails = []) =>
			transaction<readonly SessionId[] | NotDone>((tx) => act(tx, action, now, emails)),

		changeEmail: (change, now) => completeChange(database, { ...change, keep: null }, now)
	};
};

function* act(
	tx: Transaction,
	{ verb, userId, mayBeOperator, email, session = null }: Action,
	now: Date,
	emails: readonly OutboxRow[]
): Work<readonly SessionId[] | RollBack<NotDone>> {
	const { user } = tx.tables;
	// First what is pending, then the account: the order of all transactions on an account.
	const endsAll = verb === 'block' || verb === 'delete' || (verb === 'end_sessions' && !session);
	const ended = endsAll ? yield* endAll(tx, userId, null) : [];
	const isIt = eq(user.id, userId);
	yield* lockAccount(tx, isIt);
	const [account] = yield* rowsOf(tx.select().from(user).where(isIt));
	const hasMoved = email !== undefined && account?.email !== email;
	if (account === undefined || hasMoved) return new RollBack('gone');
	if (account.role !== null && !mayBeOperator) return new RollBack('is_operator');
	if (verb === 'end_sessions') {
		if (session === null) return ended;
		const one = yield* endOne(tx, userId, session);
		return one === null ? new RollBack('unchanged') : [one];
	}

	const [column, value, event] = (
		{
			block: ['blockedAt', now, 'blocked'],
			unblock: ['blockedAt', null, 'unblocked'],
			delete: ['deletedAt', now, 'deleted'],
			restore: ['deletedAt', null, 'restored'],
			grant: ['role', 'operator', 'role_granted'],
			revoke: ['role', null, 'role_revoked']
		} as const
	)[verb];
	if (column === 'role' && account.deletedAt !== null) return new RollBack('gone');
	if ((account[column] === null) === (value === null)) return new RollBack('unchanged');
	yield tx
		.update(user)
		.set({ ...(verb === 'delete' && { role: null }), [column]: value, updatedAt: now })
		.where(isIt)
		.returning({ id: user.id });
	yield* addEmails(tx, emails);
	yield* recordEvent(tx, event, userId);
	return ended;
}
