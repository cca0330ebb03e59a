import { and, eq, gte, lte, sql } from 'drizzle-orm';
import { codesUsed, emailsOf, lastMinute, wrongGuesses } from '#lib/domain/limits/count-keys.ts';
import { shareOf } from '#lib/domain/limits/budget.ts';
import type { SiteCounts } from '#lib/domain/limits/site-counts.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { onlyRowOf, rowsOf, type Sql, type Work } from '../sql.ts';
import { addCount } from './counts.ts';
import { partedCount } from './parted-count.ts';

const DAY = 24 * 3600;

export const sqlSiteCounts = (database: Sql): SiteCounts => {
	const { db, tables, run, transaction, skipLocked } = database;
	const t = tables.siteCount;
	const emails = partedCount(database);
	return {
		countEmail: async (now, { budget }) => {
			const { limit } = budget;
			if (limit === 'off') return;
			// In a row that has room, if there is one, so that the rows together still keep the limit.
			const share = shareOf(budget);
			const rooms = limit === 'none' ? [] : [0, limit - share].map((rest) => ({ share, rest }));
			await transaction(function* (tx): Work<void> {
				for (const room of [...rooms, null]) {
					if (yield* emails.add(tx, emailsOf(now), room)) return;
				}
			});
		},

		countGuesses: ({ used, wrong }, now) =>
			transaction(function* (tx): Work<number> {
				if (used > 0) yield* addCount(tx, tables, codesUsed(now), used);
				if (wrong > 0) yield* addCount(tx, tables, wrongGuesses(now), wrong);
				const { key } = wrongGuesses(now);
				const [latest, ...earlier] = lastMinute(now).map(({ since }) => since);
				const inMinute = and(
					eq(t.key, key),
					gte(t.since, earlier.at(-1) ?? now),
					lte(t.since, latest ?? now)
				);
				const sum = sql<number>`cast(coalesce(sum(${t.count}), 0) as integer)`;
				return (yield* onlyRowOf(rowsOf(tx.select({ sum }).from(t).where(inMinute)))).sum;
			}),

		prune: async (now, limit) => {
			const row = sql`(${t.key}, ${t.since}, ${t.part})`;
			const expired = lte(t.since, secondsAfter(now, -DAY));
			const removed = await run(() =>
				db
					.delete(t)
					.where(
						sql`${row} in (with dying as (select ${t.key}, ${t.since}, ${t.part} from ${t} where ${expired} order by ${t.since} limit ${limit} ${skipLocked}) select * from dying)`
					)
					.returning({ part: t.part })
			);
			return removed.length;
		}
	};
};
