import type { EmailId } from '../ids.ts';

/** `conditional`: only some recipients get the email, such as those who have an account. */
export type OutboxLane = 'following' | 'conditional';

/** An email that is sent after the response. */
export interface OutboxRow {
	readonly id: EmailId;
	readonly lane: OutboxLane;
	/** Emails of one queue take turns with those of other queues. */
	readonly queue: string;
	readonly kind: string;
	/** The sealed email. Empty once it was wiped. */
	readonly content: string;
	readonly queuedAt: Date;
	/** From this time on, the content is worthless. Null if it stays useful. */
	readonly expiresAt: Date | null;
}

/** A row that one worker may send until the end of the lease. */
export interface LeasedEmail extends OutboxRow {
	/** How many attempts began, with this one. It tells this lease from earlier and later ones. */
	readonly attempt: number;
	readonly until: Date;
}

/** Why an email was given up. */
export type GivenUp =
	/** Its content was worthless before it could be sent. */
	| 'expired'
	/** It was not sent within the time for attempts. */
	| 'attempts_over'
	/** The mail server refused its recipient or its content for good. */
	| 'rejected'
	/** It was sealed under a secret that is no longer configured. */
	| 'unreadable';

export interface FailedEmail extends OutboxRow {
	readonly attempts: number;
	readonly failedAt: Date;
	readonly failure: GivenUp;
}

/**
 * The emails that follow a response, from the transaction of their fact until they are sent. The
 * operations that store the fact add the rows. A new row is due at once.
 */
export interface OutboxRows {
	/**
	 * Leases at most `limit` rows of the lane that are due at `now`, and counts an attempt for each.
	 * A leased row is due again at `until`. Of any number of concurrent leases, over all instances,
	 * one gets a row. The queues take turns, also over several leases. Rows that were never leased come
	 * first: whether an email of another recipient was refused must not delay them.
	 */
	lease(lane: OutboxLane, now: Date, until: Date, limit: number): Promise<readonly LeasedEmail[]>;

	/** Removes a row that was sent or was not to be sent. Nothing happens after a later lease. */
	remove(lease: LeasedEmail): Promise<void>;

	/** Makes a row due again at `at`. Nothing happens after a later lease. */
	retryAt(lease: LeasedEmail, at: Date): Promise<void>;

	/**
	 * Ends the attempts for a row. With `wipe`, its content is removed. Nothing happens after a later
	 * lease.
	 */
	giveUp(lease: LeasedEmail, now: Date, failure: GivenUp, wipe: boolean): Promise<void>;

	/** The rows that were given up, the latest first. */
	failed(): Promise<readonly FailedEmail[]>;

	/**
	 * Makes rows that were given up due at `now`, as if they were new, and returns how many. Without
	 * ids it takes all. A wiped row stays given up, and so does one whose content is worthless.
	 */
	retryFailed(ids: readonly EmailId[] | null, now: Date): Promise<number>;

	/** Removes at most `limit` rows that were given up at or before `failedBefore`. Returns how many. */
	prune(failedBefore: Date, limit: number): Promise<number>;
}
