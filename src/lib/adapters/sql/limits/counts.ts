import { and, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { CountKey } from '#lib/domain/limits/count-keys.ts';
import {
	onlyRowOf,
	preparedStep,
	type PreparedStep,
	rowsOf,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';

/**
 * The emails of an hour are counted in this many rows, so that sends do not wait for each other's
 * commit. More than this many sends can commit at the same time only with more connections than an
 * instance has.
 */
const PARTS = 16;

const isRow = ({ siteCount: t }: Tables): SQL | undefined =>
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

/** What one row may count at most: the quotas of all rows are the total (`quotaOf`). */
const quota = (tables: Tables): SQL => {
	const total = sql`cast(${sql.placeholder('total')} as integer)`;
	const { part } = tables.siteCount;
	return sql`(${total} * (${part} + 1)) / ${sql.raw(String(PARTS))} - (${total} * ${part}) / ${sql.raw(String(PARTS))}`;
};

/** Changes one row of a count, and locks only that row. Without `lock` it waits for locked ones. */
const changeOne = (change: 1 | -1, has: (tables: Tables) => SQL, lock: SQL, order: SQL) =>
	preparedStep((tx, tables) => {
		const t = tables.siteCount;
		const chosen = sql`(select ${t.part} from ${t} where ${isRow(tables)} and ${has(tables)} order by ${order} limit 1 ${lock})`;
		return tx
			.update(t)
			.set({ count: sql`${t.count} + ${sql.raw(String(change))}` })
			.where(and(isRow(tables), eq(t.part, chosen)))
			.returning({ count: t.count });
	});

export interface PartedCount {
	/** Counts one. With a total, returns false when all rows have their part of it. */
	add(tx: Transaction, key: CountKey, total: number | null): Work<boolean>;
	/** Takes one back, unless nothing is counted. */
	takeBack(tx: Transaction, key: CountKey): Work<void>;
}

/**
 * A count in several rows. A transaction takes the first row that is neither full nor locked. Only
 * when there is none does it wait. Waiting transactions take the rows in one order.
 */
export const partedCount = ({ tables, skipLocked, waitForLock }: Sql): PartedCount => {
	const has = (t: Tables): SQL => sql`${t.siteCount.count} < ${quota(t)}`;
	const byPart = sql`${tables.siteCount.part}`;
	const take = changeOne(1, has, skipLocked, byPart);
	const takeWaiting = changeOne(1, has, waitForLock, byPart);
	const isCounted = (t: Tables): SQL => sql`${t.siteCount.count} > 0`;
	const fullest = sql`${tables.siteCount.count} desc`;
	const giveBack = changeOne(-1, isCounted, skipLocked, fullest);
	const giveBackWaiting = changeOne(-1, isCounted, waitForLock, byPart);

	function* addRows(tx: Transaction, key: CountKey): Work<void> {
		const rows = Array.from({ length: PARTS }, (_, part) => ({ ...key, part, count: 0 }));
		const t = tables.siteCount;
		yield tx.insert(t).values(rows).onConflictDoNothing().returning({ part: t.part });
	}

	return {
		*add(tx, key, total) {
			const values = { ...key, total: total ?? UNLIMITED };
			if ((yield* take(tx, tables, values)).length > 0) return true;
			yield* addRows(tx, key);
			return (yield* takeWaiting(tx, tables, values)).length > 0;
		},
		*takeBack(tx, key) {
			if ((yield* giveBack(tx, tables, { ...key })).length > 0) return;
			// While it waits, others can empty the rows that it saw and count in rows that it did not see.
			for (let tries = 0; tries < TRIES; tries += 1) {
				if ((yield* giveBackWaiting(tx, tables, { ...key })).length > 0) return;
			}
		}
	};
};

/** A count that is too high by one does less harm than a transaction that never ends. */
const TRIES = 20;

/** No hour has as many emails. The product with the number of rows is still an integer. */
const UNLIMITED = 100_000_000;
