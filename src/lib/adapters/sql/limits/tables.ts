import type { Email } from '#lib/domain/email.ts';
import type { Mailbox } from '#lib/domain/limits/mailbox.ts';
import type { Network } from '#lib/domain/limits/sender.ts';
import type { Columns } from '../columns.ts';

/** Limits per email address. */
export const throttleTables = ({ table, text, integer, instant, index, primaryKey }: Columns) => {
	/**
	 * The last five send times of a mailbox or of an account's known devices, newest first, and an
	 * address's wrong guesses in a row.
	 */
	const authThrottle = table(
		'auth_throttle',
		{
			/** The mailbox or account for sends, the email address for wrong guesses. */
			key: text('email').$type<Email | Mailbox>().primaryKey(),
			sentAt1: instant('sent_at_1'),
			sentAt2: instant('sent_at_2'),
			sentAt3: instant('sent_at_3'),
			sentAt4: instant('sent_at_4'),
			sentAt5: instant('sent_at_5'),
			/** The networks of the sends, in the same order. Null for known devices. */
			network1: text('network_1').$type<Network>(),
			network2: text('network_2').$type<Network>(),
			network3: text('network_3').$type<Network>(),
			network4: text('network_4').$type<Network>(),
			network5: text('network_5').$type<Network>(),
			failures: integer('failures').notNull().default(0),
			failedAt: instant('failed_at')
		},
		// Pruning finds rows without a failure by their last send, and other rows by their last
		// failure.
		(t) => [index('auth_throttle_prune_index').on(t.failedAt, t.sentAt1)]
	);

	/** Counts over all instances. Several rows hold one count, so that not all instances need one row. */
	const siteCount = table(
		'site_count',
		{
			/** What is counted: emails, tickets, used codes, wrong guesses, or the emails of a network. */
			key: text('key').notNull(),
			since: instant('since').notNull(),
			part: integer('part').notNull(),
			count: integer('count').notNull()
		},
		(t) => [
			primaryKey({ columns: [t.key, t.since, t.part] }),
			index('site_count_since_index').on(t.since)
		]
	);

	/** Proofs and tickets that were used, until they expire. */
	const spentProof = table(
		'spent_proof',
		{
			id: text('id').primaryKey(),
			/** The network of a ticket. Null for work. */
			network: text('network').$type<Network>(),
			spentAt: instant('spent_at').notNull(),
			expiresAt: instant('expires_at').notNull()
		},
		(t) => [
			index('spent_proof_network_index').on(t.network, t.spentAt),
			index('spent_proof_expires_at_index').on(t.expiresAt)
		]
	);

	return { authThrottle, siteCount, spentProof };
};
