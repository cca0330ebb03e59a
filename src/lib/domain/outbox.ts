import type { MailId, Ids } from './ids.ts';
import type { Mail } from './mail.ts';
import type { AuthPolicy } from './policy.ts';
import type { Sealer } from './ports.ts';
import { secondsAfter } from './time.ts';

export interface OutboxPlan {
	readonly now: Date;
	/** Emails with one key take turns with those of other keys. */
	readonly fairnessKey: string;
	readonly onlyIf?: RecipientCondition;
}

/**
 * Prepares emails that are sent after the response. The caller stores them together with the fact
 * that they report, then wakes the worker of this process.
 */
export interface Outbox {
	prepare(mail: Mail, plan: OutboxPlan): OutboxRow;
	/** Has the emails sent soon that were stored. It neither waits nor fails. */
	wake(): void;
}

export interface OutboxDeps {
	readonly mailSealer: Sealer;
	readonly ids: Ids;
	readonly policy: AuthPolicy;
	readonly wake: () => void;
}

export const makeOutbox = (deps: OutboxDeps): Outbox => ({
	prepare: (mail, { now, fairnessKey, onlyIf = null }) => {
		const id = deps.ids.next() as MailId;
		return {
			id,
			lane: onlyIf === null ? 'unconditional' : 'conditional',
			fairnessKey,
			kind: mail.kind,
			content: sealMail(deps.mailSealer, id, { mail, onlyIf }),
			queuedAt: now,
			expiresAt: usefulUntil(mail, now, deps.policy)
		};
	},
	wake: deps.wake
});

/** A code or link must arrive while there is time to use it. Other emails stay useful. */
const usefulUntil = (mail: Mail, now: Date, { delivery }: AuthPolicy): Date | null =>
	mail.lifetime === undefined ? null : secondsAfter(now, mail.lifetime - delivery.stopBeforeExpiry);

/** `conditional`: only some recipients get the email, such as those who have an account. */
export type OutboxLane = 'unconditional' | 'conditional';

/** An email that is sent after the response. */
export interface OutboxRow {
	readonly id: MailId;
	readonly lane: OutboxLane;
	readonly fairnessKey: string;
	readonly kind: string;
	/** The sealed email. Empty once it was wiped. */
	readonly content: string;
	readonly queuedAt: Date;
	/** From this time on, the content is worthless. Null if it stays useful. */
	readonly expiresAt: Date | null;
}

/** A row that one worker may send until the end of the lease. */
export interface LeasedMail extends OutboxRow {
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
	/** It was refused for good, because of its recipient or its content. */
	| 'rejected'
	/** It was sealed under a secret that is no longer configured. */
	| 'unreadable';

export interface FailedMail extends OutboxRow {
	readonly attempts: number;
	readonly failedAt: Date;
	readonly failure: GivenUp;
}

export interface Backlog {
	readonly waiting: number;
	/** When the oldest one was queued. Null if none waits. */
	readonly oldest: Date | null;
}

/**
 * The emails that follow a response, from the transaction of their fact until they are sent. The
 * operations that store the fact add the rows. A new row is due at once.
 */
export interface OutboxRows {
	/**
	 * Leases at most `limit` rows of the lane that are due at `now`, and counts an attempt for each.
	 * A leased row is due again at `until`. Of any number of concurrent leases, over all instances,
	 * one gets a row. The fairness keys take turns, also over several leases. Rows that were never leased come
	 * first: whether an email of another recipient was refused must not delay them.
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

/**
 * Which recipients get a conditional email: by their account, at the time of sending. A reserved
 * address counts as one with an account.
 */
export type RecipientCondition = 'account' | 'active_account' | 'no_account';

export interface MailToSend {
	readonly mail: Mail;
	/** Null for an email that is sent in any case. */
	readonly onlyIf: RecipientCondition | null;
}

/** The row is part of the seal, so a content cannot be moved to another row. */
const contextOf = (id: MailId): string => `email ${id}`;

/** JSON has no times. They are the only objects with this one field. */
interface TimeText {
	readonly time: number;
}

/** `JSON.stringify` has already made a text of a `Date`, so this reads it from its holder. */
function writeTime(this: Record<string, unknown>, name: string, value: unknown): unknown {
	const held = this[name];
	return held instanceof Date ? ({ time: held.getTime() } satisfies TimeText) : value;
}

const readTime = (_: string, value: unknown): unknown =>
	typeof value === 'object' && value !== null && Object.keys(value).join() === 'time'
		? new Date((value as TimeText).time)
		: value;

export const sealMail = (sealer: Sealer, id: MailId, toSend: MailToSend): string =>
	sealer.seal(JSON.stringify(toSend, writeTime), contextOf(id));

/** Null when the content was sealed for another row, or under a secret that is not configured. */
export const openMail = (
	sealer: Sealer,
	{ id, content }: { readonly id: MailId; readonly content: string }
): MailToSend | null => {
	const text = sealer.open(content, contextOf(id));
	// Only `sealMail` makes texts that open.
	return text === null ? null : (JSON.parse(text, readTime) as MailToSend);
};
