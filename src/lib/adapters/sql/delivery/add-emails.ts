import type { OutboxRow } from '#lib/domain/delivery/outbox-rows.ts';
import type { Tables, Transaction, Work } from '../sql.ts';

/** Adds the rows of emails in the transaction of the fact that they report. */
export function* addEmails(
	tx: Transaction,
	{ emailOutbox: t }: Tables,
	emails: readonly OutboxRow[]
): Work<void> {
	if (emails.length === 0) return;
	const rows = emails.map((email) => ({ ...email, dueAt: email.queuedAt }));
	yield tx.insert(t).values(rows).returning({ id: t.id });
}
