import { eq, sql } from 'drizzle-orm';
import { countSend } from '#lib/adapters/sql/limits/count-send.ts';
import { addCount } from '#lib/adapters/sql/limits/counts.ts';
import type { PartedCount } from '#lib/adapters/sql/limits/parted-count.ts';
import { placesOf, sendsKey } from '#lib/adapters/sql/limits/throttle-row.ts';
import type { Sql } from '#lib/adapters/sql/sql.ts';
import { fullMailbox } from '#lib/domain/limits/judge-send.ts';
import type { Throttle } from '#lib/domain/limits/throttle.ts';

/** The emails of an hour in one row. Each send waits for the commit of the one before. */
const singleRow = ({ tables }: Sql): PartedCount => ({
	*add(tx, key, room) {
		const count = yield* addCount(tx, tables, key, 1);
		return room === null || count <= room.share + room.rest;
	},
	*takeBack(tx, key) {
		yield* addCount(tx, tables, key, -1);
	}
});

/** `hit` of the product's throttle, with a single row for the emails of the hour. */
export const singleRowThrottle = (database: Sql): Pick<Throttle, 'hit'> => {
	const { db, tables, run, transaction } = database;
	const { authThrottle: t } = tables;
	const counted = countSend(database, singleRow(database));
	const sends = db
		.select()
		.from(t)
		.where(eq(t.key, sql.placeholder('key')))
		.prepare('single_row_throttle_sends');
	return {
		hit: async (send, policy) => {
			const key = sendsKey(send.email, send.knownAs);
			const [row] = await run(() => sends.execute({ key }));
			const full = row === undefined ? null : fullMailbox(send, placesOf(row), policy);
			return full ?? transaction((tx) => counted(tx, send, policy));
		}
	};
};
