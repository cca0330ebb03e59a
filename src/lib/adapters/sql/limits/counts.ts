import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { CountKey } from '#lib/domain/limits/count-keys.ts';
import {
	onlyRowOf,
	preparedStep,
	type PreparedStep,
	rowsOf,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';

/** The rows of one count. */
export const isRow = ({ siteCount: t }: Tables): SQL | undefined =>
	and(
		eq(t.key, sql.placeholder('key')),
		sql`${t.since} = ${sql.param(sql.placeholder('since'), t.since)}`
	);

/** Adds to a count that is one row, and returns it. Locks the row until the transaction ends. */
export function* addCount(
	tx: Transaction,
	tables: Tables,
	{ key, since }: CountKey,
	added: number,
	part = 0
): Work<number> {
	const t = tables.siteCount;
	const { count } = yield* onlyRowOf(
		rowsOf(
			tx
				.insert(t)
				.values({ key, since, part, count: added })
				.onConflictDoUpdate({
					target: [t.key, t.since, t.part],
					set: { count: sql`${t.count} + ${added}` }
				})
				.returning({ count: t.count })
		)
	);
	return count;
}

/** Takes one back from a count that is one row. */
export const takeOne = preparedStep((tx, tables) =>
	tx
		.update(tables.siteCount)
		.set({ count: sql`${tables.siteCount.count} - 1` })
		.where(and(isRow(tables), sql`${tables.siteCount.count} > 0`))
		.returning({ count: tables.siteCount.count })
);

/** The sums of counts of one time. A count without rows is missing. */
export const sumsOf = (
	keys: number
): PreparedStep<{ readonly key: string; readonly count: number }> =>
	preparedStep((tx, { siteCount: t }) =>
		tx
			.select({ key: t.key, count: sql<number>`cast(sum(${t.count}) as integer)` })
			.from(t)
			.where(
				and(
					inArray(
						t.key,
						Array.from({ length: keys }, (_, index) => sql.placeholder(`key${index}`))
					),
					sql`${t.since} = ${sql.param(sql.placeholder('since'), t.since)}`
				)
			)
			.groupBy(t.key)
	);
