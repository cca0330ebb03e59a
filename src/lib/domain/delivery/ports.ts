import type { MailId } from '../ids.ts';
import type { Mail, Mailer } from '../mail.ts';
import type { OutboxLane, OutboxRow } from '../outbox.ts';
import type { Sealer, Signer } from '../ports.ts';

/** A row that one worker may send until the end of the lease. */
export interface LeasedMail extends OutboxRow {
	/** How many attempts began, with this one. It tells this lease from earlier and later ones. */
	readonly attempt: number;
	readonly until: Date;
}

export type GivenUp =
	/** Its content was worthless before it could be sent. */
	| 'expired'
	/** It was not sent within the time for attempts. */
	| 'attempts_over'
	/** It was refused for good, because of its recipient or its content. */
	| 'rejected'
	/** It was sealed under a secret that is no longer configured. */
	| 'unreadable';

export interface FailedMail extends OutboxRow {
	readonly attempts: number;
	readonly failedAt: Date;
	readonly failure: GivenUp;
}

interface Backlog {
	readonly waiting: number;
	/** When the oldest one was queued. Null if none waits. */
	readonly oldest: Date | null;
}

/**
 * The emails that follow a response, until they are sent. The method that stores the reason for an
 * email adds its row in the same transaction. A new row is due at once.
 */
export interface OutboxRows {
	/**
	 * Leases at most `limit` rows of the lane that are due at `now`, and counts an attempt for each.
	 * A leased row is due again at `until`. Of any number of concurrent leases, over all instances,
	 * one gets a row. The fairness keys take turns, also over several leases. Rows that were never leased
	 * come first, so that no repeated attempt delays a new email.
	 */
	lease(lane: OutboxLane, now: Date, until: Date, limit: number): Promise<readonly LeasedMail[]>;

	/** Removes a row that was sent or was not to be sent. Nothing happens after a later lease. */
	remove(lease: LeasedMail): Promise<void>;

	/** Makes a row due again at `at`. Nothing happens after a later lease. */
	retryAt(lease: LeasedMail, at: Date): Promise<void>;

	/**
	 * Ends the attempts. With `wipe`, the content is removed. Nothing happens after a later lease.
	 */
	giveUp(lease: LeasedMail, now: Date, failure: GivenUp, wipe: boolean): Promise<void>;

	/** How many rows are still to be sent, and when the oldest of them was queued. */
	backlog(): Promise<Backlog>;

	/** The rows that were given up, the latest first. */
	failed(): Promise<readonly FailedMail[]>;

	/**
	 * Makes rows that were given up due at `now`, as if they were new, and returns how many. Without
	 * ids it takes all. A wiped row stays given up, and so does one whose content is worthless.
	 */
	retryFailed(ids: readonly MailId[] | null, now: Date): Promise<number>;

	/** Removes at most `limit` rows that were given up at or before `failedBefore`. Returns how many. */
	prune(failedBefore: Date, limit: number): Promise<number>;
}

/** What a mail provider reports about an email that it had accepted. */
export interface MailEvent {
	/** `bounced`: the recipient's mail server refused it for good. `complained`: reported as spam. */
	readonly kind: 'bounced' | 'complained';
	readonly messageId: string;
	/** Its recipients, as we gave them to the provider. */
	readonly recipients: readonly string[];
	readonly at: Date;
}

/**
 * Makes one attempt to send a leased email. Afterwards the row is removed, due again later, or given
 * up. When the mailer throws, the row is due again later, and the caller gets the error.
 */
export type DeliverMail = (lease: LeasedMail) => Promise<void>;

export type LeaseDue = (lane: OutboxLane, limit: number) => Promise<readonly LeasedMail[]>;

export interface ConditionalMailer extends Mailer {
	/**
	 * Does the work of `send`, takes as long as it usually takes, and sends nothing. Otherwise requests
	 * at this moment, and the next emails, would be slower only when an email is sent.
	 */
	readonly dryRun: (mail: Mail) => Promise<void>;
}

/** The mailers of the two lanes. They share no connections. */
export interface LaneMailers {
	readonly unconditional: Mailer;
	readonly conditional: ConditionalMailer;
}

declare module '../deps.ts' {
	interface Stores {
		readonly outboxRows: OutboxRows;
	}
	interface UseCaseDeps {
		readonly mailSealer: Sealer;
		readonly messageSigner: Signer;
	}
}
