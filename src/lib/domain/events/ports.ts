import type { Email } from '../email.ts';
import type { EventId, UserId } from '../ids.ts';

/**
 * What happened to an account. Who did it is not a part of the kind: `session_ended` by an operator
 * has the same kind as `session_ended` by the person.
 */
export type EventKind =
	/** The first right code, which created the account. */
	| 'signed_up'
	| 'signed_in'
	| 'signed_out'
	/** `count` sessions ended without a sign-out on them. */
	| 'session_ended'
	/** `detail` is the new email address; by an operator, the reason. */
	| 'email_changed'
	/** `detail` is the email address that the account has again. */
	| 'email_change_undone'
	| 'consent_granted'
	| 'consent_withdrawn'
	| 'blocked'
	| 'unblocked'
	| 'deleted'
	| 'restored'
	| 'purged'
	| 'role_granted'
	| 'role_revoked'
	/** An operator looked at the account. */
	| 'opened'
	| 'exported'
	/** An account has one row for an hour, with a count. */
	| CountedKind;

/** What is counted for an account in each hour. Anybody can cause it. */
export const COUNTED_KINDS = ['code_sent', 'code_refused'] as const;
type CountedKind = (typeof COUNTED_KINDS)[number];

/** Who did something. The command line is an operator without an account. */
export type Actor =
	/** The owner of the account, or a client that proved to be. */
	| { readonly kind: 'person' }
	| { readonly kind: 'operator'; readonly id: UserId | null }
	| { readonly kind: 'system' };

/** Who does something, when and from where. `LOG_CLIENT` decides about the address. */
export interface EventContext {
	readonly actor: Actor;
	readonly at: Date;
	readonly requestId: string | null;
	readonly ipAddress: string | null;
	readonly userAgent: string | null;
}

export interface AccountEvent extends EventContext {
	readonly id: EventId;
	readonly kind: EventKind;
	readonly count: number;
	readonly detail: string | null;
}

export interface EventPage {
	/** Newest first. */
	readonly events: readonly AccountEvent[];
	/** The last event, after which the next page begins. Null on the last page. */
	readonly next: EventId | null;
}

/**
 * Counts requests for codes and links, and codes that were refused. A request also counts when
 * deliberately nothing is sent. So the count does not show whether a new email address is taken.
 */
export interface CodeCounts {
	/**
	 * Takes the same time whether or not the email address has an account. The count is stored later,
	 * for existing accounts only.
	 */
	count(kind: CountedKind, email: Email): void;
}

export interface CodeCount {
	readonly kind: CountedKind;
	readonly email: Email;
	/** The beginning of the hour. */
	readonly hour: Date;
	readonly count: number;
}

/**
 * What happened to the accounts. Where a method of another port changes an account, it stores the event
 * in the same transaction. The event has the context of the request, task or command.
 *
 * Events change in three cases only. Code counts add up. `prune` removes old events. The purge of an
 * account blanks all but kind, time, count and actor of its events. If it was an operator's account,
 * the purge also blanks the id and client of this operator in every event.
 */
export interface Events {
	/** Stores an event that changes nothing else. Does nothing when the account is gone. */
	record(userId: UserId, kind: EventKind): Promise<void>;

	/**
	 * Adds to the counts of the accounts with these email addresses, deleted ones included. No two of
	 * them have the same kind, address and hour. An address without an account is ignored. Concurrent
	 * counts all add up. The actor is the system, and there is no client: many can be behind one count.
	 */
	addCodeCounts(counts: readonly CodeCount[]): Promise<void>;

	/** At most `limit` events of an account, newest first, after one of them in that order. */
	pageOf(userId: UserId, after: EventId | null, limit: number): Promise<readonly AccountEvent[]>;

	/** Removes at most `limit` events from before `before`. Returns how many. */
	prune(before: Date, limit: number): Promise<number>;
}

declare module '../deps.ts' {
	interface Stores {
		readonly events: Events;
	}
	interface UseCaseDeps {
		readonly codeCounts: CodeCounts;
		readonly eventsDays: number;
	}
}
