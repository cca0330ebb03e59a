import { and, asc, eq, gte, lt, sql } from 'drizzle-orm';
import { admitHosts } from '#lib/domain/delivery/receipts/admit-hosts.ts';
import type { DeliveryFigures, HourCount } from '#lib/domain/delivery/receipts/delivery-figures.ts';
import { grouped } from '#lib/domain/delivery/receipts/grouped.ts';
import { excluded } from '../../rows.ts';
import { lockValue, rowsOf, type Sql, type Transaction, type Work } from '../../sql.ts';

export const sqlDeliveryFigures = (database: Sql): DeliveryFigures => {
	const { db, tables, run, transaction, skipLocked } = database;
	const t = tables.deliveryFigure;
	const between = (from: Date, until: Date) => and(gte(t.since, from), lt(t.since, until));

	function* addHour(tx: Transaction, counts: readonly HourCount[], mostHosts: number): Work<void> {
		const [{ since } = { since: null }] = counts;
		if (since === null) return;
		const hosts = tx.select({ host: t.host }).from(t).where(eq(t.since, since)).groupBy(t.host);
		const known = new Set((yield* rowsOf(hosts)).map(({ host }) => host));
		const rows = admitHosts(counts, known, mostHosts).map((one) => ({ ...one, since }));
		yield tx
			.insert(t)
			.values(rows)
			.onConflictDoUpdate({
				target: [t.since, t.host, t.fact],
				set: { count: sql`${t.count} + ${excluded(t.count)}` }
			})
			.returning({ count: t.count });
	}

	return {
		add: (counts, mostHosts) =>
			transaction(function* (tx): Work<void> {
				// Concurrent calls would each find room for their hosts.
				yield* lockValue(database, tx, 'delivery_figure');
				const hours = grouped(counts, ({ since }) => since.getTime());
				for (const hour of hours.values()) yield* addHour(tx, hour, mostHosts);
			}),

		sums: (from, until) =>
			run(() =>
				db
					.select({
						host: t.host,
						fact: t.fact,
						count: sql<number>`cast(sum(${t.count}) as integer)`
					})
					.from(t)
					.where(between(from, until))
					.groupBy(t.host, t.fact)
			),

		hours: (from, until) =>
			run(() =>
				db
					.select()
					.from(t)
					.where(between(from, until))
					.orderBy(asc(t.since), asc(t.host), asc(t.fact))
			),

		prune: async (before, limit) => {
			const key = sql`(${t.since}, ${t.host}, ${t.fact})`;
			const old = lt(t.since, before);
			const removed = await run(() =>
				db
					.delete(t)
					.where(
						sql`${key} in (with dying as (select ${t.since}, ${t.host}, ${t.fact} from ${t} where ${old} order by ${t.since} limit ${limit} ${skipLocked}) select * from dying)`
					)
					.returning({ host: t.host })
			);
			return removed.length;
		}
	};
};
