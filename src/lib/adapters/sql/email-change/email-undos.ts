import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { EmailChanged, EmailUndos, Undo } from '#lib/domain/email-change/ports.ts';
import { addEmails } from '../delivery/add-emails.ts';
import { placeDevice } from '../devices/place-device.ts';
import { atMost, bound, userColumns } from '../rows.ts';
import { endSessions, lockAccount, revokeCodes } from '../sessions/revocation.ts';
import {
	isUniqueViolation,
	RollBack,
	onlyRowOf,
	rowsOf,
	type Sql,
	type Transaction,
	type Work
} from '../sql.ts';
import { endRights } from './undo-rights.ts';

export const sqlEmailUndos = (database: Sql): EmailUndos => {
	const { db, tables, run, transaction, skipLocked } = database;
	const { emailUndo: t, user } = tables;
	const isReserved = db
		.select({ id: t.id })
		.from(t)
		.where(and(eq(t.email, sql.placeholder('email')), gt(t.expiresAt, bound('now', t.expiresAt))))
		.prepare('undo_is_reserved');

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

		isReserved: async (email, now) =>
			(await run(() => isReserved.execute({ email, now }))).length > 0,

		undo: async (change, now) => {
			try {
				return await transaction<EmailChanged | null>((tx) => undo(database, tx, change, now));
			} catch (error) {
				// The right has just expired for another account, which took the address.
				if (isUniqueViolation(error)) return null;
				throw error;
			}
		},

		prune: async (now, limit) => {
			const expired = lte(t.expiresAt, now);
			const removed = await run(() =>
				db
					.delete(t)
					.where(atMost(limit, t.id, expired, skipLocked, [t.expiresAt]))
					.returning({ id: t.id })
			);
			return removed.length;
		}
	};
};

/** Locks in the order of all transactions on an account: its codes, the account, sessions, devices. */
function* undo(
	database: Sql,
	tx: Transaction,
	{ id, from, emails, device }: Undo,
	now: Date
): Work<EmailChanged | null | RollBack<null>> {
	const { tables } = database;
	const { emailUndo: t, user } = tables;
	const [right] = yield* rowsOf(
		tx
			.select({ userId: t.userId, to: t.email, depth: t.depth })
			.from(t)
			.where(and(eq(t.id, id), gt(t.expiresAt, now)))
	);
	if (right === undefined) return null;
	const { userId, to } = right;
	for (const email of [from, to]) yield* revokeCodes(tx, tables, email);
	const account = yield* lockAccount(tx, tables, and(eq(user.id, userId), eq(user.email, from)));
	if (account === undefined) return new RollBack(null);
	// Concurrent undos and changes waited for the account, and can have removed the right.
	const endedRights = yield* endRights(tx, tables, right);
	if (!endedRights.includes(id)) return new RollBack(null);
	const moved = yield* onlyRowOf(
		rowsOf(
			tx
				.update(user)
				.set({ email: to, updatedAt: now })
				.where(eq(user.id, userId))
				.returning(userColumns(tables))
		)
	);
	yield* addEmails(tx, tables, emails);
	const ended = yield* endSessions(tx, tables, userId, null);
	yield* placeDevice(database, tx, userId, device, null);
	return { user: moved, ended };
}
