import type { Network } from '../client.ts';
import type { Email } from '../email.ts';
import type { Brand, UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';

/**
 * The mailbox that an email address delivers to, as far as its text shows. Only the send throttle
 * uses it, so that variants of an address cannot flood one mailbox. It never identifies an
 * account.
 */
export type Mailbox = Brand<string, 'Mailbox'>;

export interface Send {
	readonly email: Email;
	readonly requestedAt: Date;
	/** The mailbox or account whose five sends this one uses. */
	readonly chargedKey: Mailbox | UserId;
	/** True for a known device of the account, and for a session that changes its own email address. */
	readonly isKnown: boolean;
	readonly network: Network;
}

export type Refusal =
	/** Five sends count. `retryAt` is when the oldest one leaves the window. */
	| { readonly kind: 'full'; readonly retryAt: Date }
	| { readonly kind: 'network_full' }
	| { readonly kind: 'over_budget' };

export type SendVerdict =
	| Refusal
	| {
			readonly kind: 'allowed';
			/** The wrong codes in a row for this email address, as last counted. */
			readonly wrongCodes: number;
			/** The emails of the hour, this one included. Zero when they are not counted. */
			readonly emails: number;
	  };

/**
 * Counts the emails sent to a mailbox and the wrong codes that were entered for an email address.
 * Sends count for the whole mailbox (see `mailboxOf`): all variants of an address share the five
 * sends. Wrong codes count for the one email address. Each variant is an account of its own, so
 * attempts at one variant must not make the codes of another weaker or stricter.
 *
 * The known devices of an account have five sends of their own. They count for the account
 * (`chargedKey`), so nothing that an unknown client does can use them up.
 *
 * With `EMAIL_BUDGET`, sends also count for the hour, and for the network in that hour.
 */
export interface Throttle {
	/**
	 * Counts one send, or refuses it and changes nothing. All of this is exact under concurrency over
	 * all instances.
	 *
	 * Refuses it with `full` while the fifth last send of `chargedKey` counts: it is less than a window
	 * old. So the window slides. A send more than a window ahead of `requestedAt`, which appears when
	 * the clock is set back, does not count.
	 *
	 * Refuses it with `over_budget` or `network_full` when the emails of the hour, or those of the
	 * network in it, would exceed `hourLimits`.
	 */
	countSend(send: Send, policy: AuthPolicy): Promise<SendVerdict>;

	/**
	 * Takes back a send that was counted, because its email was certainly refused or never left the
	 * queue. The hour and the network get it back too. Does nothing when there is no such send.
	 */
	giveBack(send: Send): Promise<void>;

	/**
	 * Counts one wrong code for this email address. Concurrent ones are all counted. When the memory of
	 * the last one is over, the count begins again.
	 */
	countWrongCode(email: Email, now: Date, policy: AuthPolicy): Promise<void>;

	/**
	 * Removes at most `limit` rows that no longer count. In such a row the last send is at least a
	 * window old. It has no wrong code, or the memory of the last one is over. Returns how many.
	 * Never removes a row that still counts.
	 */
	prune(now: Date, policy: AuthPolicy, limit: number): Promise<number>;

	/** Removes at most `limit` counts that began at least a day before `now`. Returns how many. */
	pruneCounts(now: Date, limit: number): Promise<number>;
}

/** Counts the wrong codes of each network in this process (`policy.wrongCodes`). */
export interface NetworkWrongCodes {
	/**
	 * Counts a check before its code is compared, so that concurrent attempts are not free. Returns
	 * null, or the whole seconds until the network may check again. A refused check is not counted.
	 */
	countCheck(network: Network): number | null;
	/** Call once after `countCheck` returned null. If the code was not wrong, uncounts the check. */
	endCheck(network: Network, wasWrong: boolean): void;
}

/** Logs an event with numbers only. */
export type LogCounts = (event: string, counts: Readonly<Record<string, number>>) => void;

/** The emails of one hour: of all clients, of all unknown ones, of one network. Each is at least one. */
export interface HourLimits {
	readonly all: number;
	readonly unknown: number;
	readonly network: number;
}

/** Logs when the `used` emails of the hour of `now` have reached a limit. */
export type BudgetLog = (used: number, limits: HourLimits, now: Date) => void;

/** What a stored count counts, and when it began. */
export interface CountKey {
	readonly key: string;
	readonly since: Date;
}

declare module '../deps.ts' {
	interface Stores {
		readonly throttle: Throttle;
	}
	interface UseCaseDeps {
		readonly budgetLog: BudgetLog;
		readonly networkWrongCodes: NetworkWrongCodes;
	}
}
