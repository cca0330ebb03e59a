import { sql, type SQL } from 'drizzle-orm';
import type { OutboxRow } from '#lib/domain/outbox.ts';
import type { Tables, Transaction, Work } from '../sql.ts';

/** Adds the rows of emails in the transaction of the fact that they report. */
export function* addEmails(
	tx: Transaction,
	tables: Tables,
	emails: readonly OutboxRow[]
): Work<void> {
	const { emailOutbox: t } = tables;
	// One at a time, so that each takes its turn after the one before it.
	for (const email of emails) {
		const row = { ...email, dueAt: email.queuedAt, turn: turnOf(tables, email) };
		yield tx.insert(t).values(row).returning({ id: t.id });
	}
}

/**
 * The turn after the last one of its queue, and not before the first email that still waits. So
 * queues take turns, and a queue that was empty does not make up for it. Emails that were given up
 * no longer take turns.
 */
const turnOf = ({ emailOutbox: t }: Tables, { lane, queue }: OutboxRow): SQL =>
	sql`(select coalesce(max(turns.turn), 0) from (
		select min(${t.turn}) as turn from ${t} where ${t.lane} = ${lane} and ${t.attempts} = 0
		union all
		select max(${t.turn}) + 1 from ${t} where ${t.lane} = ${lane} and ${t.queue} = ${queue} and ${t.failedAt} is null
	) as turns)`;
