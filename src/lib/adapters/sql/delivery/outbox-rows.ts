import { and, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, or, sql } from 'drizzle-orm';
import type { FailedEmail, LeasedEmail, OutboxRow, OutboxRows } from '#lib/domain/outbox.ts';
import { atMost } from '../rows.ts';
import type { Sql } from '../sql.ts';
import { nextInTurn } from './due-emails.ts';

type StoredEmail = Sql['tables']['emailOutbox']['$inferSelect'];

export const sqlOutboxRows = (database: Sql): OutboxRows => {
	const { db, tables, run, skipLocked } = database;
	const t = tables.emailOutbox;

	// Built once: the shorter the time from the answer of the mail server to the removal, the fewer
	// emails arrive twice when the process dies.
	const removal = db
		.delete(t)
		.where(
			and(
				eq(t.id, sql.placeholder('id')),
				eq(t.attempts, sql.placeholder('attempt')),
				isNull(t.failedAt)
			)
		)
		.returning({ id: t.id })
		.prepare('email_outbox_remove');

	const change = async (lease: LeasedEmail, to: Partial<StoredEmail>): Promise<void> => {
		const changed = db.update(t).set(to).where(isHeld(database, lease)).returning({ id: t.id });
		await run(() => changed);
	};

	return {
		lease: async (lane, now, until, limit) => {
			const next = await nextInTurn(database, lane, now, limit);
			// Most calls find nothing, and then no write lock is needed.
			if (next.length === 0) return [];
			const ids = next.map(({ id }) => id);
			// The guard is checked again on the locked row: another worker may have leased it meanwhile.
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
				.map((row) => ({ ...rowOf(row), attempt: row.attempts, until }));
		},

		remove: async ({ id, attempt }) => {
			await run(() => removal.execute({ id, attempt }));
		},

		retryAt: (lease, at) => change(lease, { dueAt: at }),

		giveUp: (lease, now, failure, wipe) =>
			change(lease, { dueAt: null, failedAt: now, failure, ...(wipe && { content: '' }) }),

		failed: async () => {
			const rows = await run(() =>
				db.select().from(t).where(isNotNull(t.failedAt)).orderBy(desc(t.failedAt), desc(t.id))
			);
			return rows.flatMap(failedOf);
		},

		retryFailed: async (ids, now) => {
			const useful = or(isNull(t.expiresAt), gt(t.expiresAt, now));
			const meant = ids === null ? undefined : inArray(t.id, [...ids]);
			const again = await run(() =>
				db
					.update(t)
					.set({ queuedAt: now, dueAt: now, failedAt: null, failure: null })
					.where(and(isNotNull(t.failedAt), ne(t.content, ''), useful, meant))
					.returning({ id: t.id })
			);
			return again.length;
		},

		prune: async (failedBefore, limit) => {
			const over = lte(t.failedAt, failedBefore);
			const removed = await run(() =>
				db
					.delete(t)
					.where(atMost(limit, t.id, over, skipLocked, [t.failedAt]))
					.returning({ id: t.id })
			);
			return removed.length;
		}
	};
};

/** The row still has this lease: it was not leased again, and not given up. */
const isHeld = ({ tables: { emailOutbox: t } }: Sql, { id, attempt }: LeasedEmail) =>
	and(eq(t.id, id), eq(t.attempts, attempt), isNull(t.failedAt));

const rowOf = ({
	id,
	lane,
	queue,
	kind,
	content,
	queuedAt,
	expiresAt
}: StoredEmail): OutboxRow => ({
	id,
	lane,
	queue,
	kind,
	content,
	queuedAt,
	expiresAt
});

const failedOf = (row: StoredEmail): FailedEmail[] => {
	const { attempts, failedAt, failure } = row;
	return failedAt === null || failure === null
		? []
		: [{ ...rowOf(row), attempts, failedAt, failure }];
};
