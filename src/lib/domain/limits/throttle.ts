import type { Email } from '../email.ts';

export type Hit =
	| {
			readonly allowed: true;
			/** Wrong guesses in a row at codes of this address, as last counted. */
			readonly failures: number;
	  }
	| {
			readonly allowed: false;
			/** When the oldest of the counted sends leaves the window. */
			readonly retryAt: Date;
	  };

/**
 * Counts the emails sent to a mailbox and the wrong guesses at the codes of an email address. Sends count
 * for the whole mailbox (see `mailboxOf`): its variants share the five. Wrong guesses count for the one
 * email address, because each variant is an account of its own and guesses at one must not make the
 * codes of another weaker or stricter.
 */
export interface Throttle {
	/**
	 * Counts one send to the mailbox of `email` at `now` if fewer than five were counted in the `window` seconds before it;
	 * otherwise counts nothing. The window slides and the count is exact under concurrency: of any
	 * number at once five are allowed. A send exactly `window` seconds ago no longer counts, and
	 * times more than a window ahead of `now` (the clock was set back) do not either.
	 */
	hit(email: Email, now: Date, window: number): Promise<Hit>;

	/**
	 * Takes back the send to the mailbox of `email` that was counted at `at`, because its mail was refused
	 * for certain or never left the queue. Without such a send nothing happens.
	 */
	giveBack(email: Email, at: Date): Promise<void>;

	/** Counts one wrong guess at a code of this address; every one counts, however many at once. */
	countFailure(email: Email, now: Date): Promise<void>;

	/**
	 * Removes at most `limit` rows that say nothing any more: the last send is at least `window`
	 * seconds old, and there is no failure or the last one is at least `memory` seconds old.
	 * Returns how many. Never a row that still counts.
	 */
	prune(now: Date, window: number, memory: number, limit: number): Promise<number>;
}
