import {
	and,
	asc,
	count,
	desc,
	eq,
	gt,
	inArray,
	isNotNull,
	isNull,
	lte,
	min,
	ne,
	or,
	sql,
	type SQL
} from 'drizzle-orm';
import type { OutboxLane, OutboxRow } from '#lib/domain/outbox.ts';
import type { LeasedMail, OutboxRows } from '#lib/domain/delivery/ports.ts';
import { atMost, deleteSome } from '../rows.ts';
import type { Sql, Tables, Transaction, Work } from '../sql.ts';

type StoredMail = Sql['tables']['emailOutbox']['$inferSelect'];

export const sqlOutboxRows = (database: Sql): OutboxRows => {
	const { db, tables, run, skipLocked } = database;
	const t = tables.emailOutbox;

	// Prepared, to save time: if the process dies after the mail server has accepted an email and before
	// this statement, the email arrives twice.
	const removal = db
		.delete(t)
		.where(
			and(
				eq(t.id, sql.placeholder('id')),
				eq(t.attempts, sql.placeholder('attempt')),
				isNull(t.failedAt)
			)
		)
		.prepare('email_outbox_remove');

	/** Only while the row has this lease: it was not leased again, and not given up. */
	const change = async ({ id, attempt }: LeasedMail, to: Partial<StoredMail>): Promise<void> => {
		const isHeld = and(eq(t.id, id), eq(t.attempts, attempt), isNull(t.failedAt));
		await run(() => db.update(t).set(to).where(isHeld));
	};

	return {
		lease: async (lane, now, until, limit) => {
			const first = await run(() => dueInTurn(database, 'first', lane, now, limit));
			const rest = limit - first.length;
			const later = rest > 0 ? await run(() => dueInTurn(database, 'later', lane, now, rest)) : [];
			const ids = [...first, ...later].map(({ id }) => id);
			// Most calls find nothing, and then no write lock is needed.
			if (ids.length === 0) return [];
			// `dueAt` is checked again on the locked row: another worker may have leased it meanwhile.
			const free = and(inArray(t.id, ids), lte(t.dueAt, now));
			const leased = await run(() =>
				db
					.update(t)
					.set({ dueAt: until, attempts: sql`${t.attempts} + 1` })
					.where(atMost(limit, t.id, free, skipLocked))
					.returning()
			);
			return leased
				.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
				.map(({ attempts: attempt, ...row }) => ({ ...mailOf(row), attempt, until }));
		},

		remove: async ({ id, attempt }) => {
			await run(() => removal.execute({ id, attempt }));
		},

		retryAt: (lease, at) => change(lease, { dueAt: at }),

		giveUp: (lease, now, failure, wipe) =>
			change(lease, { dueAt: null, failedAt: now, failure, ...(wipe && { content: '' }) }),

		backlog: async () => {
			const [row] = await run(() =>
				db
					.select({ waiting: count(), oldest: min(t.queuedAt) })
					.from(t)
					.where(isNull(t.failedAt))
			);
			return { waiting: Number(row?.waiting ?? 0), oldest: row?.oldest ?? null };
		},

		failed: async () => {
			const rows = await run(() =>
				db.select().from(t).where(isNotNull(t.failedAt)).orderBy(desc(t.failedAt), desc(t.id))
			);
			return rows.flatMap(({ attempts, ...row }) => {
				const { failedAt, failure } = row;
				return failedAt && failure ? [{ ...mailOf(row), attempts, failedAt, failure }] : [];
			});
		},

		retryFailed: async (ids, now) => {
			const useful = or(isNull(t.expiresAt), gt(t.expiresAt, now));
			const target = ids === null ? undefined : inArray(t.id, [...ids]);
			const again = await run(() =>
				db
					.update(t)
					.set({ queuedAt: now, dueAt: now, failedAt: null, failure: null })
					.where(and(isNotNull(t.failedAt), ne(t.content, ''), useful, target))
					.returning({ id: t.id })
			);
			return again.length;
		},

		prune: (failedBefore, limit) =>
			deleteSome(database, limit, t.id, lte(t.failedAt, failedBefore), [t.failedAt])
	};
};

const mailOf = (row: Omit<StoredMail, 'attempts'>): OutboxRow => {
	const { dueAt: _due, turn: _turn, failedAt: _at, failure: _failure, ...mail } = row;
	return mail;
};

interface Selected extends PromiseLike<readonly Pick<OutboxRow, 'id'>[]> {
	toSQL(): { readonly sql: string; readonly params: unknown[] };
}

/** The rows that are to be leased next. Another worker may lease them first. */
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

export function* addMails(tx: Transaction, mails: readonly OutboxRow[]): Work<void> {
	const { emailOutbox: t } = tx.tables;
	// One at a time, so that each takes its turn after the one before it.
	for (const mail of mails) {
		const row = { ...mail, dueAt: mail.queuedAt, turn: turnOf(tx.tables, mail) };
		yield tx.insert(t).values(row);
	}
}

/**
 * The turn of a new email. Emails are sent in the order of their turns. A new one gets the turn after the
 * last of its fairness key, so that the keys alternate. Its turn is never before that of the first
 * email that still waits, so that a key gains nothing by having been idle.
 */
const turnOf = ({ emailOutbox: t }: Tables, { lane, fairnessKey }: OutboxRow): SQL =>
	sql`(select coalesce(max(turns.turn), 0) from (
		select min(${t.turn}) as turn from ${t} where ${t.lane} = ${lane} and ${t.attempts} = 0
		union all
		select max(${t.turn}) + 1 from ${t} where ${t.lane} = ${lane} and ${t.fairnessKey} = ${fairnessKey} and ${t.failedAt} is null
	) as turns)`;
