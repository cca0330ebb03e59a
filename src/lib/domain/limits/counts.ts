import type { Network } from '../client.ts';
import type { UserId } from '../ids.ts';
import type { AuthPolicy } from '../policy.ts';
import { DAY, HOUR, hourOf, periodOf, secondsAfter } from '../time.ts';
import type { BudgetLog, CountKey, HourLimits, LogCounts } from './ports.ts';

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

/** Null when nothing is counted. */
export const hourLimits = (budget: AuthPolicy['budget']): HourLimits | null => {
	const { limit, unknownShare, networkShare, networkLeast } = budget;
	if (limit === 'off') return null;
	return {
		all: limit,
		unknown: Math.max(1, whole(limit * unknownShare)),
		network: Math.max(networkLeast, whole(limit * networkShare))
	};
};

/** Absorbs the floating-point error of a product such as 0.8 * 5 before flooring. */
const whole = (value: number): number => Math.floor(value + 1e-9);

export const nextHour = (now: Date): Date => secondsAfter(hourOf(now), HOUR);

/** Has one event for each of two limits, and logs each at most once an hour. */
export const makeBudgetLog = (log: LogCounts): BudgetLog => {
	const loggedIn = new Map<string, number>();
	return (used, { all, unknown }, now) => {
		const hour = hourOf(now).getTime();
		const bounds = { email_budget_unknown_used_up: unknown, email_budget_used_up: all };
		for (const [event, bound] of Object.entries(bounds)) {
			if (used < bound || loggedIn.get(event) === hour) continue;
			loggedIn.set(event, hour);
			log(event, { used, limit: all });
		}
	};
};
