import { eq } from 'drizzle-orm';
import { sessionColumns } from '#lib/adapters/sql/rows.ts';
import { sqlSessions } from '#lib/adapters/sql/sessions/sessions.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { Sessions } from '#lib/domain/sessions/ports.ts';

/** Reads whether the session is due, then refreshes it in any case. */
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
		}
	};
};
