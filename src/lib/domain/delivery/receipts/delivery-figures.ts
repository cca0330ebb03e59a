import type { EntryLimit } from './entry-times.ts';
import type { MailHost } from './mail-host.ts';

/** What is counted: codes sent, requested again and refused, and codes entered within a time. */
export type Fact = 'sent' | 'again' | 'refused' | `within_${EntryLimit}`;

export interface HostCount {
	readonly host: MailHost;
	readonly fact: Fact;
	readonly count: number;
}

/** A count of the codes that were requested in the hour that begins at `since`. */
export interface HourCount extends HostCount {
	readonly since: Date;
}

/** Counts of emailed codes by mail host and hour, over all instances. */
export interface DeliveryFigures {
	/**
	 * Adds all counts or none. Concurrent calls lose nothing. Of one hour, at most `mostHosts` hosts
	 * are counted by themselves, also over concurrent calls: those of earlier calls first, then those
	 * with the most codes sent. The counts of further ones are added to those of `OTHER_HOST`.
	 */
	add(counts: readonly HourCount[], mostHosts: number): Promise<void>;

	/** The sums of the hours that begin at or after `from` and before `until`. */
	sums(from: Date, until: Date): Promise<readonly HostCount[]>;

	/** The counts of each of these hours. */
	hours(from: Date, until: Date): Promise<readonly HourCount[]>;

	/** Removes at most `limit` counts of hours that begin before `before`. Returns how many. */
	prune(before: Date, limit: number): Promise<number>;
}
