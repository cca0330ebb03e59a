import type { AuthPolicy } from '../policy.ts';
import { HOUR, hourOf, secondsAfter } from '../time.ts';
import type { LogCounts } from './ports.ts';

/** The emails of one hour: of all clients, of all unknown ones, of one network. Each is at least one. */
interface HourLimits {
	readonly all: number;
	readonly unknown: number;
	readonly network: number;
}

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

/** Logs when the `used` emails of the hour of `now` have reached a limit. */
export type BudgetLog = (used: number, limits: HourLimits, now: Date) => void;

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
