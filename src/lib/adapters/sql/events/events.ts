import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import type { CodeCount, Events } from '#lib/domain/events/ports.ts';
import type { EventId } from '#lib/domain/ids.ts';
import { lockAccount } from '../locked-account.ts';
import { deleteSome, excluded } from '../rows.ts';
import { rowsOf, type Sql, type Transaction, type Work } from '../sql.ts';
import { recordEvent, toEvent } from './record-event.ts';
import { isHourly } from './tables.ts';

export const sqlEvents = (database: Sql): Events => {
	const { db, tables, run, transaction } = database;
	const { event: t, user } = tables;
	return {
		record: (userId, kind) =>
			transaction(function* (tx) {
				const account = yield* lockAccount(tx, eq(user.id, userId));
				if (account !== undefined) yield* recordEvent(tx, kind, userId);
			}),

		addCodeCounts: (counts) => transaction((tx) => addCodeCounts(tx, counts)),

		pageOf: async (userId, after, limit) => {
			const isOfAccount = eq(t.userId, userId);
			const place = db.select({ at: t.at, id: t.id }).from(t);
			// One range of the index, which `at < … or at = … and id < …` is not.
			const isAfter =
				after && sql`(${t.at}, ${t.id}) < ${place.where(and(isOfAccount, eq(t.id, after)))}`;
			const rows = await run(() =>
				db
					.select()
					.from(t)
					.where(and(isOfAccount, isAfter ?? undefined))
					.orderBy(desc(t.at), desc(t.id))
					.limit(limit)
			);
			return rows.map(toEvent);
		},

		prune: (before, limit) => deleteSome(database, limit, t.id, lt(t.at, before), [t.at])
	};
};

function* addCodeCounts(tx: Transaction, counts: readonly CodeCount[]): Work<void> {
	const { event: t, user } = tx.tables;
	const emails = counts.map(({ email }) => email);
	const accounts = yield* rowsOf(
		tx.select({ id: user.id, email: user.email }).from(user).where(inArray(user.email, emails))
	);
	const idOf = new Map(accounts.map(({ id, email }) => [email, id]));
	const rows = counts.map(({ kind, email, hour, count }) => {
		const id = v7() as EventId;
		return { id, kind, actor: 'system' as const, at: hour, count, userId: idOf.get(email) ?? null };
	});
	// In one order, so that two instances do not wait for each other.
	const keyOf = ({ userId, kind, at }: (typeof rows)[number]): string =>
		`${userId} ${kind} ${at.getTime()}`;
	rows.sort((one, other) => keyOf(one).localeCompare(keyOf(other)));
	yield tx
		.insert(t)
		.values(rows)
		.onConflictDoUpdate({
			target: [t.userId, t.kind, t.at],
			targetWhere: isHourly(t),
			set: { count: sql`${t.count} + ${excluded(t.count)}` }
		});
	// Rows without an account are stored and removed. So the duration of this transaction, which other
	// requests can wait for, does not show whether an email address has an account.
	const withoutAccount = rows.flatMap(({ id, userId }) => (userId === null ? [id] : []));
	yield tx.delete(t).where(inArray(t.id, withoutAccount));
}
