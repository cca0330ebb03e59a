import { and, eq, inArray, isNull, lte } from 'drizzle-orm';
import { sqlAccounts } from '#lib/adapters/sql/account/accounts.ts';
import { userColumns } from '#lib/adapters/sql/rows.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Accounts } from '#lib/domain/account/ports.ts';

/** Reads first and then writes, as separate statements, assuming that nothing changed. */
export const naiveAccounts = (sql: Sql): Accounts => {
	const { db, tables, run } = sql;
	const { user, session, verification, event } = tables;
	return {
		...sqlAccounts(sql),

		confirmEmail: async (challengeId) => {
			const isIt = eq(verification.id, challengeId);
			const [found] = await run(() => db.select().from(verification).where(isIt));
			if (found === undefined) return null;
			await run(() => db.delete(verification).where(isIt).returning());
			const [account] = await run(() =>
				db.select(userColumns(tables)).from(user).where(eq(user.email, found.email))
			);
			return account ?? null;
		},

		delete: async (id, now) => {
			const [living] = await run(() =>
				db
					.select()
					.from(user)
					.where(and(eq(user.id, id), isNull(user.deletedAt)))
			);
			if (living === undefined) return null;
			const ended = await run(() => db.delete(session).where(eq(session.userId, id)).returning());
			await run(() => db.update(user).set({ deletedAt: now }).where(eq(user.id, id)).returning());
			return ended.map(({ id }) => id);
		},

		purge: async (deletedBefore, limit) => {
			const dead = await run(() =>
				db.select({ id: user.id }).from(user).where(lte(user.deletedAt, deletedBefore)).limit(limit)
			);
			const ids = dead.map((one) => one.id);
			await run(() => db.delete(event).where(inArray(event.userId, ids)).returning());
			await run(() => db.delete(user).where(inArray(user.id, ids)).returning());
			return dead.map(({ id }) => id);
		}
	};
};
