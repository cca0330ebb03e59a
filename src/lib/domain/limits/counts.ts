import type { Network } from '../client.ts';
import type { UserId } from '../ids.ts';
import { DAY, hourOf, periodOf } from '../time.ts';

/** What a stored count counts, and when it began. */
export interface CountKey {
	readonly key: string;
	readonly since: Date;
}

export const sendsOfHour = (now: Date): CountKey => ({ key: 'emails', since: hourOf(now) });
export const sendsOfNetwork = (network: Network, now: Date): CountKey => ({
	key: `network ${network}`,
	since: hourOf(now)
});

/** Notices about devices of an account that cannot be recognised. */
export const deviceNoticesOf = (userId: UserId, now: Date): CountKey => ({
	key: `notices ${userId}`,
	since: periodOf(now, DAY)
});
