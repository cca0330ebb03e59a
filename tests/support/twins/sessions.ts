import { desc, eq, inArray } from 'drizzle-orm';
import { sessionColumns } from '#lib/adapters/sql/rows.ts';
import { sqlSessions } from '#lib/adapters/sql/sessions/sessions.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Sessions } from '#lib/domain/sessions/ports.ts';
import type { SignIns } from '#lib/domain/sign-in/ports.ts';
import { sqlSignIns } from '#lib/adapters/sql/sign-in/sign-ins.ts';

/**
 * Reads whether the session is due, then refreshes it in any case; reads which sessions there are,
 * then ends those.
 */
export const naiveSessions = (sql: Sql): Sessions => {
	const { db, tables, run } = sql;
	const t = tables.session;
	return {
		...sqlSessions(sql),
		refresh: async (id, now, dueSince, expiresAt) => {
			const [row] = await run(() => db.select().from(t).where(eq(t.id, id)));
			if (row === undefined || row.updatedAt > dueSince || row.expiresAt <= now) return null;
			const [refreshed] = await run(() =>
				db
					.update(t)
					.set({ updatedAt: now, expiresAt })
					.where(eq(t.id, id))
					.returning(sessionColumns(tables))
			);
			return refreshed === undefined ? null : { session: refreshed, usesNewKey: false };
		},
		endAll: async (userId, keep) => {
			const open = await run(() => db.select().from(t).where(eq(t.userId, userId)));
			const ids = open.map(({ id }) => id).filter((id) => id !== keep);
			await run(() => db.delete(t).where(inArray(t.id, ids)).returning());
			return ids;
		}
	};
};

/** Reads which sessions are too many, ends those, and then opens another one. */
export const crowdingSignIns = (sql: Sql): SignIns => {
	const { db, tables, run } = sql;
	const { session: t, user } = tables;
	return {
		redeem: async (redemption) => {
			const open = await run(() =>
				db
					.select({ id: t.id })
					.from(t)
					.innerJoin(user, eq(user.id, t.userId))
					.where(eq(user.email, redemption.email))
					.orderBy(desc(t.updatedAt), desc(t.id))
			);
			const surplus = open.slice(redemption.sessionsPerAccount - 1).map(({ id }) => id);
			await run(() =>
				db
					.delete(t)
					.where(inArray(t.id, [...surplus]))
					.returning()
			);
			const unlimited = { ...redemption, sessionsPerAccount: Number.MAX_SAFE_INTEGER };
			const redeemed = await sqlSignIns(sql).redeem(unlimited);
			return redeemed?.kind === 'signed_in' ? { ...redeemed, ended: surplus } : redeemed;
		}
	};
};
