import { and, eq, inArray, lte } from 'drizzle-orm';
import { sqlOutboxRows } from '#lib/adapters/sql/delivery/outbox-rows.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import type { OutboxRows } from '#lib/domain/outbox.ts';

/** Reads which rows are due, then leases them without a second look. */
export const naiveOutboxRows = (sql: Sql): OutboxRows => {
	const { db, tables, run } = sql;
	const t = tables.emailOutbox;
	return {
		...sqlOutboxRows(sql),
		lease: async (lane, now, until, limit) => {
			const isDue = and(eq(t.lane, lane), lte(t.dueAt, now));
			const due = await run(() => db.select().from(t).where(isDue).limit(limit));
			const ids = due.map(({ id }) => id);
			const leased = await run(() =>
				db.update(t).set({ dueAt: until, attempts: 1 }).where(inArray(t.id, ids)).returning()
			);
			return leased.map((row) => ({ ...row, attempt: row.attempts, until }));
		}
	};
};
