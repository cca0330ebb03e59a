import { and, eq, gt, gte, inArray, isNull, lt, sql } from 'drizzle-orm';
import type { Email } from '#lib/domain/email.ts';
import { mailboxOf } from '#lib/domain/limits/throttle-send.ts';
import { decideAction, endsAllSessions } from '#lib/domain/operators/decide-action.ts';
import type { ActionResult, OperatorAction, Operators } from '#lib/domain/operators/ports.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { lockAccount } from './locked-account.ts';
import { addMails } from './delivery/outbox-rows.ts';
import { recordEvent } from './events/record-event.ts';
import { SENT_AT } from './limits/tables.ts';
import { accountColumns } from './rows.ts';
import { forgetDevices } from './sessions/devices.ts';
import { endOne, endSessionsExcept } from './sessions/sessions.ts';
import { RollBack, type Sql, type Transaction, type Work } from './sql.ts';

/** Sorts after every character of an email address. */
const LAST = '\u{10ffff}';

export const sqlOperators = ({ db, tables, run, transaction }: Sql): Operators => {
	const { user, authThrottle } = tables;
	const { deletedAt, blockedAt, role } = user;
	const accounts = () => db.select(accountColumns(tables)).from(user);

	return {
		isOperator: async (id) => {
			const isHeld = and(eq(role, 'operator'), isNull(deletedAt), isNull(blockedAt));
			return (await run(() => accounts().where(and(eq(user.id, id), isHeld)))).length > 0;
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

		find: async (id) => (await run(() => accounts().where(eq(user.id, id))))[0] ?? null,

		sendsOf: async ({ id, email }) => {
			const mailbox = mailboxOf(email);
			const isCount = inArray(sql<string>`${authThrottle.key}`, [mailbox, id, email]);
			const counts = await run(() => db.select().from(authThrottle).where(isCount));
			const rowOf = (key: string) => counts.find((row) => row.key === key);
			const sentTo = (key: string): readonly Date[] => {
				const row = rowOf(key);
				return SENT_AT.map((name) => row?.[name]).filter((at) => at instanceof Date);
			};
			const wrongCodes = rowOf(email)?.wrongCodes ?? 0;
			return { mailbox: sentTo(mailbox), devices: sentTo(id), wrongCodes };
		},

		act: (action, now, mails = []) => transaction((tx) => act(tx, action, now, mails))
	};
};

function* act(
	tx: Transaction,
	action: OperatorAction,
	now: Date,
	mails: readonly OutboxRow[]
): Work<ActionResult | RollBack<ActionResult>> {
	const { user } = tx.tables;
	const { verb, userId, session = null } = action;
	// A block keeps the devices. They are known again after it ends.
	const dropDevices = verb === 'block' ? null : forgetDevices;
	// Lock order: codes, then account (locked-account.ts).
	const ended = endsAllSessions(action)
		? yield* endSessionsExcept(tx, userId, null, dropDevices)
		: [];
	const isAccount = eq(user.id, userId);
	const account = yield* lockAccount(tx, isAccount);
	const decided = decideAction(account, action, now);
	if (typeof decided === 'string') return new RollBack(decided);
	if (decided !== null) {
		yield tx
			.update(user)
			.set({ ...decided.change, updatedAt: now })
			.where(isAccount);
		yield* addMails(tx, mails);
		yield* recordEvent(tx, decided.event, userId);
	}
	if (verb !== 'end_sessions' || session === null) return ended;
	const one = yield* endOne(tx, userId, session);
	return one === null ? new RollBack('unchanged') : [one];
}
