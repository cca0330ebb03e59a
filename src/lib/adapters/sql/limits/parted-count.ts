import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { CountKey } from '#lib/domain/limits/count-keys.ts';
import {
	onlyRowOf,
	preparedStep,
	type Sql,
	type Tables,
	type Transaction,
	type Work
} from '../sql.ts';
import { isRow } from './counts.ts';

/**
 * The emails of an hour are counted in this many rows, so that sends do not wait for each other's
 * commit. More than this many sends can commit at the same time only with more connections than an
 * instance has.
 */
const PARTS = 16;

/** How many rows a count has, and their sum. */
const filled = preparedStep((tx, tables) =>
	tx
		.select({
			rows: sql<number>`cast(count(*) as integer)`,
			sum: sql<number>`cast(coalesce(sum(${tables.siteCount.count}), 0) as integer)`
		})
		.from(tables.siteCount)
		.where(isRow(tables))
);

/**
 * What one row may count at most. The quotas of all rows are the share and the rest. Each row has a
 * part of both, so a row that is full for the share is never over what it has of the limit.
 */
const quota = (tables: Tables): SQL =>
	sql`${quotaOf('share', tables)} + ${quotaOf('rest', tables)}`;

const quotaOf = (name: string, { siteCount: { part } }: Tables): SQL => {
	const total = sql`cast(${sql.placeholder(name)} as integer)`;
	const parts = sql.raw(String(PARTS));
	return sql`((${total} * (${part} + 1)) / ${parts} - (${total} * ${part}) / ${parts})`;
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

/** How far a count may go: to the share of unknown clients, and by the rest above it. */
export interface Room {
	readonly share: number;
	readonly rest: number;
}

export interface PartedCount {
	/** Counts one. Returns false when all rows have their part of the room. */
	add(tx: Transaction, key: CountKey, room: Room | null): Work<boolean>;
	/** Takes one back, unless nothing is counted. */
	takeBack(tx: Transaction, key: CountKey): Work<void>;
}

/** A count in several rows. A transaction takes the first row that is neither full nor locked. */
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
		*add(tx, key, room) {
			const { share, rest } = room ?? UNLIMITED;
			const values = { ...key, share, rest };
			// All rows with room are locked: their transactions end soon, and then it is clear whether the
			// rows are full. Waiting for one row would queue behind all others that wait for it.
			for (let tries = 0; tries < TRIES; tries += 1) {
				if ((yield* take(tx, tables, values)).length > 0) return true;
				const { rows, sum } = yield* onlyRowOf(filled(tx, tables, { ...key }));
				if (rows === 0) yield* addRows(tx, key);
				else if (sum >= share + rest) return false;
			}
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

/** After this many tries a transaction waits, or leaves a count too high, but it ends. */
const TRIES = 100;

/** No hour has as many emails. The product with the number of rows is still an integer. */
const UNLIMITED: Room = { share: 100_000_000, rest: 0 };
