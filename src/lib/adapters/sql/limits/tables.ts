import type { Email } from '#lib/domain/email.ts';
import type { Mailbox } from '#lib/domain/limits/mailbox.ts';
import type { Columns } from '../columns.ts';

/** Limits per email address. */
export const throttleTables = ({ table, text, integer, instant, index }: Columns) => {
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
			failures: integer('failures').notNull().default(0),
			failedAt: instant('failed_at')
		},
		// Pruning finds rows without a failure by their last send, and other rows by their last
		// failure.
		(t) => [index('auth_throttle_prune_index').on(t.failedAt, t.sentAt1)]
	);

	return { authThrottle };
};
