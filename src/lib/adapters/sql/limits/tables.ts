import type { Email } from '#lib/domain/email.ts';
import type { UserId } from '#lib/domain/ids.ts';
import type { Mailbox } from '#lib/domain/limits/ports.ts';
import type { Columns } from '../columns.ts';

/** The columns with the last sends, newest first. */
export const SENT_AT = ['sentAt1', 'sentAt2', 'sentAt3', 'sentAt4', 'sentAt5'] as const;

export const throttleTables = ({ table, text, integer, instant, index, primaryKey }: Columns) => {
	/** The last five sends of a mailbox or of an account's known devices, newest first. */
	const authThrottle = table(
		'auth_throttle',
		{
			/**
			 * The mailbox or account for sends, the email address for wrong codes. Most mailboxes are an
			 * email address, and one row has both. An id has no @, so it is no email address.
			 */
			key: text('key').$type<Email | Mailbox | UserId>().primaryKey(),
			sentAt1: instant('sent_at_1'),
			sentAt2: instant('sent_at_2'),
			sentAt3: instant('sent_at_3'),
			sentAt4: instant('sent_at_4'),
			sentAt5: instant('sent_at_5'),
			wrongCodes: integer('wrong_codes').notNull().default(0),
			wrongCodeAt: instant('wrong_code_at')
		},
		// Pruning finds rows without a wrong code by their last send, and other rows by their last
		// wrong code.
		(t) => [index('auth_throttle_prune_index').on(t.wrongCodeAt, t.sentAt1)]
	);

	const siteCount = table(
		'site_count',
		{
			/** What is counted: the emails of an hour, those of a network, or notices to an account. */
			key: text('key').notNull(),
			since: instant('since').notNull(),
			count: integer('count').notNull()
		},
		(t) => [primaryKey({ columns: [t.key, t.since] }), index('site_count_since_index').on(t.since)]
	);

	/** Proofs of work that were used, until they expire. */
	const spentProof = table(
		'spent_proof',
		{
			id: text('id').primaryKey(),
			expiresAt: instant('expires_at').notNull()
		},
		(t) => [index('spent_proof_expires_at_index').on(t.expiresAt)]
	);

	return { authThrottle, siteCount, spentProof };
};
