import { isNull, sql } from 'drizzle-orm';
import type { MailId } from '#lib/domain/ids.ts';
import type { OutboxLane } from '#lib/domain/outbox.ts';
import type { GivenUp } from '#lib/domain/delivery/ports.ts';
import type { Columns } from '../columns.ts';

export const outboxTables = ({ table, id, text, integer, instant, index }: Columns) => ({
	/** Only the sealed content names a recipient. No reference: an email outlives what it reports. */
	emailOutbox: table(
		'email_outbox',
		{
			id: id('id').$type<MailId>().primaryKey(),
			lane: text('lane').$type<OutboxLane>().notNull(),
			fairnessKey: text('fairness_key').notNull(),
			kind: text('kind').notNull(),
			content: text('content').notNull(),
			queuedAt: instant('queued_at').notNull(),
			/** The next attempt, or the end of a lease. Null once the email was given up. */
			dueAt: instant('due_at'),
			expiresAt: instant('expires_at'),
			/** Its place among the emails of all keys, see `turnOf`. */
			turn: integer('turn').notNull(),
			attempts: integer('attempts').notNull().default(0),
			failedAt: instant('failed_at'),
			failure: text('failure').$type<GivenUp>()
		},
		(t) => [
			// Emails that were given up stay for days. Without the conditions, each search for a turn
			// would read all of them. First attempts are found in the order of their turns.
			index('email_outbox_due_index')
				.on(t.lane, t.dueAt)
				.where(sql`${t.attempts} > 0`),
			index('email_outbox_fairness_index')
				.on(t.lane, t.fairnessKey, t.turn)
				.where(isNull(t.failedAt)),
			index('email_outbox_turn_index')
				.on(t.lane, t.turn)
				.where(sql`${t.attempts} = 0`),
			index('email_outbox_failed_index').on(t.failedAt)
		]
	)
});
