import { and, eq, isNull, lte, or, sql } from 'drizzle-orm';
import { emailsOf, emailsOfNetwork } from '#lib/domain/limits/count-keys.ts';
import { fullMailbox } from '#lib/domain/limits/judge-send.ts';
import { withoutSend } from '#lib/domain/limits/send-window.ts';
import type { Throttle } from '#lib/domain/limits/throttle.ts';
import { secondsAfter } from '#lib/domain/time.ts';
import { atMost, bound } from '../rows.ts';
import { RollBack, type Sql, type Work } from '../sql.ts';
import { takeOne } from './counts.ts';
import { partedCount } from './parted-count.ts';
import { countSend } from './count-send.ts';
import { makeTurns } from './turns.ts';
import { lockSends, placesOf, sendsKey, writeSends } from './throttle-row.ts';

export const sqlThrottle = (database: Sql): Throttle => {
	const { db, tables, run, transaction, skipLocked } = database;
	const t = tables.authThrottle;
	const emails = partedCount(database);
	const counted = countSend(database, emails);
	// SQLite runs one transaction at a time anyway.
	const turns = database.valueLock === null ? null : makeTurns();

	const sends = db
		.select()
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
			// A flood of requests for one mailbox must not fill the pool with transactions that wait for
			// its row. The transaction checks again.
			const key = sendsKey(send.email, send.knownAs);
			const [row] = await run(() => sends.execute({ key }));
			const full = row === undefined ? null : fullMailbox(send, placesOf(row), policy);
			if (full !== null) return full;
			const count = () => transaction((tx) => counted(tx, send, policy));
			// A burst from one network must not fill the pool either: its sends wait for one row.
			return turns === null || send.knownAs !== null ? count() : turns(send.network, count);
		},

		giveBack: ({ email, at, knownAs, network }) =>
			transaction(function* (tx): Work<void | RollBack<void>> {
				const key = sendsKey(email, knownAs);
				const { places } = yield* lockSends(tx, tables, key);
				const left = withoutSend(places, at);
				if (left === null) return new RollBack<void>(undefined);
				if (knownAs === null) yield* takeOne(tx, tables, { ...emailsOfNetwork(network, at) });
				yield* emails.takeBack(tx, emailsOf(at));
				yield* writeSends(tx, tables, key, left);
			}),

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
		}
	};
};
