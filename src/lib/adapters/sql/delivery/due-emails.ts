import { and, asc, eq, lte, sql } from 'drizzle-orm';
import type { EmailId } from '#lib/domain/ids.ts';
import type { OutboxLane } from '#lib/domain/outbox.ts';
import type { Sql } from '../sql.ts';

interface Next {
	readonly id: EmailId;
}

/** A select that was built but did not run yet. */
interface Selected extends PromiseLike<readonly Next[]> {
	toSQL(): { readonly sql: string; readonly params: unknown[] };
}

/** The rows that are to be leased next. Another worker may lease them first. */
export const nextInTurn = async (
	database: Sql,
	lane: OutboxLane,
	now: Date,
	limit: number
): Promise<readonly Next[]> => {
	const first = await database.run(() => dueInTurn(database, 'first', lane, now, limit));
	const rest = limit - first.length;
	if (rest === 0) return first;
	return [...first, ...(await database.run(() => dueInTurn(database, 'later', lane, now, rest)))];
};

/** Selects due rows for their first attempt, or for a later one. */
export const dueInTurn = (
	{ db, tables: { emailOutbox: t } }: Pick<Sql, 'db' | 'tables'>,
	attempt: 'first' | 'later',
	lane: OutboxLane,
	now: Date,
	limit: number
): Selected => {
	// Literals, because SQLite uses a partial index only if the statement itself has its condition.
	const attempts = attempt === 'first' ? sql`${t.attempts} = 0` : sql`${t.attempts} > 0`;
	return db
		.select({ id: t.id })
		.from(t)
		.where(and(eq(t.lane, lane), attempts, lte(t.dueAt, now)))
		.orderBy(asc(t.turn), asc(t.dueAt), asc(t.id))
		.limit(limit);
};
