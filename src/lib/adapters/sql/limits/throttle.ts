import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Throttle } from '#lib/domain/limits/ports.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { atMost, bound } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { countSend, fullUntil, sendsKey, takeSendBack } from './count-send.ts';

const DAY = 24 * 3600;

export const sqlThrottle = ({ db, tables, run, transaction, skipLocked }: Sql): Throttle => {
	const { authThrottle: t, siteCount: c } = tables;

	const sends = db
		.select({ sentAt5: t.sentAt5 })
		.from(t)
		.where(eq(t.key, sql.placeholder('key')))
		.prepare('throttle_sends');

	const countFailure = db
		.insert(t)
		.values({
			key: sql.placeholder('key'),
			failures: 1,
			failedAt: sql.placeholder('now')
		})
		.onConflictDoUpdate({
			target: t.key,
			set: { failures: sql`${t.failures} + 1`, failedAt: bound('now', t.failedAt) }
		})
		.returning({ key: t.key })
		.prepare('throttle_count_failure');

	return {
		hit: async (send, policy) => {
			// A flood for one mailbox must not fill the pool with transactions that wait for its row.
			const key = sendsKey(send.email, send.knownAs);
			const [row] = await run(() => sends.execute({ key }));
			const full = fullUntil(row?.sentAt5 ?? null, send.now, policy.throttle.window);
			return full ?? transaction((tx) => countSend(tx, tables, send, policy));
		},

		giveBack: (send) => transaction((tx) => takeSendBack(tx, tables, send)),

		countFailure: async (email, now) => {
			await run(() => countFailure.execute({ key: email, now }), 'write');
		},

		prune: async (now, window, memory, limit) => {
			const lastSend = secondsAfter(now, -window);
			const sentAt = [t.sentAt1, t.sentAt2, t.sentAt3, t.sentAt4, t.sentAt5];
			const noSend = and(...sentAt.map((column) => or(isNull(column), lte(column, lastSend))));
			const noFailure = isNull(t.failedAt);
			// Each condition is one range of the index, however many rows still count. Joined by `or`
			// they would not be.
			const kinds = [
				and(noFailure, isNull(t.sentAt1), noSend),
				and(noFailure, lte(t.sentAt1, lastSend), noSend),
				and(lte(t.failedAt, secondsAfter(now, -memory)), noSend)
			];
			let removed = 0;
			for (const expired of kinds) {
				if (removed === limit) break;
				const rows = await run(() =>
					db
						.delete(t)
						.where(atMost(limit - removed, t.key, expired, skipLocked, [t.failedAt, t.sentAt1]))
						.returning({ key: t.key })
				);
				removed += rows.length;
			}
			return removed;
		},

		pruneCounts: async (now, limit) => {
			const expired = lte(c.since, secondsAfter(now, -DAY));
			const removed = await run(() =>
				db
					.delete(c)
					.where(
						sql`(${c.key}, ${c.since}) in (with dying as (select ${c.key}, ${c.since} from ${c} where ${expired} order by ${c.since} limit ${limit} ${skipLocked}) select * from dying)`
					)
					.returning({ key: c.key })
			);
			return removed.length;
		}
	};
};
