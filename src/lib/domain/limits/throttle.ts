import type { Email } from '../email.ts';
import type { UserId } from '../ids.ts';

export type Hit =
	| {
			readonly allowed: true;
			/** Wrong guesses in a row at the codes of this address, as last counted. */
			readonly failures: number;
	  }
	| {
			readonly allowed: false;
			/** When the oldest counted send leaves the window. */
			readonly retryAt: Date;
	  };

/**
 * Counts the emails sent to a mailbox and the wrong guesses at the codes of an email address.
 * Sends count for the whole mailbox (see `mailboxOf`): all variants of an address share the five
 * sends. Wrong guesses count for the one email address. Each variant is an account of its own, so
 * guesses at one variant must not make the codes of another weaker or stricter.
 *
 * The known devices of an account have five sends of their own. They count for the account
 * (`knownAs`), so nothing that an unknown client does can use them up.
 */
export interface Throttle {
	/**
	 * Counts one send to the mailbox of `email` at `now` if fewer than five were counted in the
	 * `window` seconds before it. Otherwise it counts nothing. The window slides, and the count is
	 * exact under concurrency: of any number of concurrent calls five are allowed.
	 *
	 * A send exactly `window` seconds ago no longer counts. Neither do times more than a window
	 * ahead of `now`, which appear when the clock is set back.
	 *
	 * With `knownAs`, counts for that account in the same way, and not for the mailbox.
	 */
	hit(email: Email, now: Date, window: number, knownAs?: UserId | null): Promise<Hit>;

	/**
	 * Takes back the send to the mailbox of `email` that was counted at `at`, because its email was
	 * certainly refused or never left the queue. Does nothing when there is no such send. With
	 * `knownAs`, takes back a send that was counted for that account.
	 */
	giveBack(email: Email, at: Date, knownAs?: UserId | null): Promise<void>;

	/** Counts one wrong guess at a code of this address. Concurrent guesses are all counted. */
	countFailure(email: Email, now: Date): Promise<void>;

	/**
	 * Removes at most `limit` rows that no longer count. In such a row the last send is at least
	 * `window` seconds old. It has no failure, or the last one is at least `memory` seconds old.
	 * Returns how many. Never removes a row that still counts.
	 */
	prune(now: Date, window: number, memory: number, limit: number): Promise<number>;
}
