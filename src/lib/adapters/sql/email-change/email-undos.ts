import { and, eq, gt, gte, lte, or, sql } from 'drizzle-orm';
import type { EmailChanged, EmailUndos, Undo, UndoRight } from '#lib/domain/email-change/ports.ts';
import type { Email } from '#lib/domain/email.ts';
import type { UndoId, UserId } from '#lib/domain/ids.ts';
import { addMails } from '../delivery/outbox-rows.ts';
import { markDevicesUnknown, placeDevice } from '../sessions/devices.ts';
import { recordEvent } from '../events/record-event.ts';
import { deleteSome } from '../rows.ts';
import {
	changeAccount,
	deleteSessionsExcept,
	lockAccount,
	lockSessions,
	revokeCodes
} from '../locked-account.ts';
import {
	onViolation,
	RollBack,
	rowsOf,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';

export const sqlEmailUndos = (database: Sql): EmailUndos => {
	const { db, tables, run, transaction } = database;
	const { emailUndo: t, user } = tables;
	return {
		find: async (id, now) => {
			const [found] = await run(() =>
				db
					.select({ id: t.id, to: t.email, from: user.email, expiresAt: t.expiresAt })
					.from(t)
					.innerJoin(user, eq(user.id, t.userId))
					.where(and(eq(t.id, id), gt(t.expiresAt, now)))
			);
			return found ?? null;
		},

		listOf: (userId, now) =>
			run(() =>
				db
					.select({ to: t.email, expiresAt: t.expiresAt })
					.from(t)
					.where(and(eq(t.userId, userId), gt(t.expiresAt, now)))
					.orderBy(t.depth)
			),

		isReserved: async (email, now) => {
			const isHeld = and(eq(t.email, email), gt(t.expiresAt, now));
			return (await run(() => db.select({ id: t.id }).from(t).where(isHeld))).length > 0;
		},

		undo: (change, now) =>
			// The right may just have expired for another account, which took the email address.
			transaction<EmailChanged | null>((tx) => undo(tx, change, now)).catch(
				onViolation('unique', null)
			),

		prune: (now, limit) => deleteSome(database, limit, t.id, lte(t.expiresAt, now), [t.expiresAt])
	};
};

/** Locks in the order of all transactions on an account: its codes, the account, sessions, devices. */
function* undo(
	tx: Transaction,
	{ id, from, mails, device }: Undo,
	now: Date
): Work<EmailChanged | null | RollBack<null>> {
	const { emailUndo: t, user } = tx.tables;
	const [undoRight] = yield* rowsOf(
		tx
			.select({ userId: t.userId, to: t.email, depth: t.depth })
			.from(t)
			.where(and(eq(t.id, id), gt(t.expiresAt, now)))
	);
	if (undoRight === undefined) return null;
	const { userId, to } = undoRight;
	for (const email of [from, to]) yield* revokeCodes(tx, email);
	const account = yield* lockAccount(tx, and(eq(user.id, userId), eq(user.email, from)));
	if (account === undefined) return new RollBack(null);
	// Concurrent undos and changes waited for the account, and can have removed the right.
	const endedRights = yield* endRights(tx, undoRight);
	if (!endedRights.includes(id)) return new RollBack(null);
	yield* lockSessions(tx, userId, now);
	const changed = yield* changeAccount(tx, userId, { email: to, role: null, updatedAt: now });
	yield* addMails(tx, mails);
	yield* recordEvent(tx, 'email_change_undone', userId, { detail: to });
	const ended = yield* deleteSessionsExcept(tx, userId, null, markDevicesUnknown);
	yield* placeDevice(tx, userId, device, null, null);
	return { user: changed, ended };
}

type Row = Tables['emailUndo']['$inferSelect'];

export function* undoRightOf(tx: Transaction, email: Email, now: Date): Work<Row | null> {
	const { emailUndo: t } = tx.tables;
	const isHeld = and(eq(t.email, email), gt(t.expiresAt, now));
	const [found] = yield* rowsOf(tx.select().from(t).where(isHeld));
	return found ?? null;
}

/** Removes a right of the account and all later ones. Returns which. */
export function* endRights(
	tx: Transaction,
	{ userId, depth }: Pick<Row, 'userId' | 'depth'>
): Work<readonly UndoId[]> {
	const { emailUndo: t } = tx.tables;
	const ended = yield* rowsOf(
		tx
			.delete(t)
			.where(and(eq(t.userId, userId), gte(t.depth, depth)))
			.returning({ id: t.id })
	);
	return ended.map(({ id }) => id);
}

/** Adds a right after all others of the account. The caller has locked the account. */
export function* addRight(
	tx: Transaction,
	userId: UserId,
	{ from, to }: { readonly from: Email; readonly to: Email },
	{ id, expiresAt }: Pick<UndoRight, 'id' | 'expiresAt'>,
	now: Date
): Work<void> {
	const { emailUndo: t } = tx.tables;
	// Expired rights still hold the unique address. Delete those of `to`, and every right of `from`,
	// which the account held until now.
	yield tx.delete(t).where(or(eq(t.email, from), and(eq(t.email, to), lte(t.expiresAt, now))));
	const depth = sql<number>`(select coalesce(max(${t.depth}), 0) + 1 from ${t} where ${t.userId} = ${userId})`;
	yield tx.insert(t).values({ id, userId, email: from, depth, expiresAt });
}
