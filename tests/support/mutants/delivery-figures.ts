import { and, eq } from 'drizzle-orm';
import { sqlDeliveryFigures } from '#lib/adapters/sql/delivery/receipts/delivery-figures.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { admitHosts } from '#lib/domain/delivery/receipts/admit-hosts.ts';
import type { DeliveryFigures } from '#lib/domain/delivery/receipts/delivery-figures.ts';

/** Reads each count, adds to it in the program and writes it back. Hosts are counted before that. */
export const naiveDeliveryFigures = (sql: Sql): DeliveryFigures => {
	const { db, tables, run } = sql;
	const t = tables.deliveryFigure;
	return {
		...sqlDeliveryFigures(sql),
		add: async (counts, most) => {
			const [{ since } = { since: new Date(0) }] = counts;
			const stored = await run(() => db.select().from(t).where(eq(t.since, since)));
			const known = new Set(stored.map(({ host }) => host));
			for (const one of admitHosts(counts, known, most)) {
				const isRow = and(eq(t.since, since), eq(t.host, one.host), eq(t.fact, one.fact));
				const [row] = await run(() => db.select().from(t).where(isRow));
				const count = one.count + (row?.count ?? 0);
				await run(() =>
					db
						.insert(t)
						.values({ ...one, since, count })
						.onConflictDoUpdate({ target: [t.since, t.host, t.fact], set: { count } })
						.returning()
				);
			}
		}
	};
};
