import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Accounts } from '#lib/domain/account/ports.ts';
import type { SessionId, UserId } from '#lib/domain/ids.ts';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import { NO_NAME } from '#lib/domain/user.ts';
import { addEmails } from '../delivery/add-emails.ts';
import { sqlUserData } from '../consent/user-data.ts';
import { purge } from './purge.ts';
import { userColumns } from '../rows.ts';
import { rowsOf, type Sql, type Tables, type Transaction, type Work } from '../sql.ts';
import { endSessions, revokeCodes } from '../sessions/revocation.ts';

export const sqlAccounts = (database: Sql): Accounts => {
	const { db, tables, run, transaction, skipLocked } = database;
	const { user, verification } = tables;
	const columns = userColumns(tables);

	const find = db
		.select({ user: columns, deletedAt: user.deletedAt })
		.from(user)
		.where(eq(user.email, sql.placeholder('email')))
		.prepare('account_find');

	return {
		dataOf: sqlUserData(database),

		find: async (email) => {
			const [row] = await run(() => find.execute({ email }));
			return row ?? null;
		},

		confirmEmail: (challengeId) =>
			transaction(function* (tx) {
				const [used] = yield* rowsOf(
					tx
						.delete(verification)
						.where(eq(verification.id, challengeId))
						.returning({ email: verification.email })
				);
				if (used === undefined) return null;
				const [found] = yield* rowsOf(
					tx
						.select(columns)
						.from(user)
						.where(and(eq(user.email, used.email), isNull(user.deletedAt)))
				);
				return found ?? null;
			}),

		update: async (id, { name, image }, now) => {
			const change = { ...(name !== undefined && { name }), ...(image !== undefined && { image }) };
			const [row] = await run(() =>
				db
					.update(user)
					.set({ ...change, updatedAt: now })
					.where(and(eq(user.id, id), isNull(user.deletedAt)))
					.returning(columns)
			);
			return row ?? null;
		},

		answerName: (id, name, now) =>
			transaction(function* (tx) {
				const isActive = and(eq(user.id, id), isNull(user.deletedAt));
				const isUnanswered = and(eq(user.name, NO_NAME), eq(user.updatedAt, user.createdAt));
				const [answered] = yield* rowsOf(
					tx
						.update(user)
						.set({ name, updatedAt: now })
						.where(and(isActive, isUnanswered))
						.returning(columns)
				);
				if (answered !== undefined) return answered;
				const [found] = yield* rowsOf(tx.select(columns).from(user).where(isActive));
				return found ?? null;
			}),

		delete: (id, now, emails = []) => transaction((tx) => remove(tx, tables, id, now, emails)),

		purge: (deletedBefore, limit) =>
			transaction((tx) => purge(tx, tables, skipLocked, deletedBefore, limit))
	};
};

function* remove(
	tx: Transaction,
	tables: Tables,
	id: UserId,
	now: Date,
	emails: readonly OutboxRow[]
): Work<readonly SessionId[] | null> {
	const { user } = tables;
	for (;;) {
		const [found] = yield* rowsOf(
			tx
				.select({ email: user.email })
				.from(user)
				.where(and(eq(user.id, id), isNull(user.deletedAt)))
		);
		if (found === undefined) return null;
		yield* revokeCodes(tx, tables, found.email);
		const [deleted] = yield* rowsOf(
			tx
				.update(user)
				.set({ deletedAt: now, updatedAt: now })
				.where(and(eq(user.id, id), eq(user.email, found.email), isNull(user.deletedAt)))
				.returning({ id: user.id })
		);
		// The account moved or was deleted while this waited for its codes. The next pass finds out
		// which.
		if (deleted === undefined) continue;
		yield* addEmails(tx, tables, emails);
		return yield* endSessions(tx, tables, id, null);
	}
}
