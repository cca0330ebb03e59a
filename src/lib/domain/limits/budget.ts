import type { AuthPolicy } from '../policy.ts';
import { HOUR, hourOf, secondsAfter } from '../time.ts';
import type { LogCounts } from './ports.ts';

/** How many emails of an hour a client may use. Each limit is at least one. */
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

/** Tells the operator that an hour's emails are nearly or completely used up. */
export interface BudgetLog {
	/** `used` counts the emails of the hour of `now`. */
	report(used: number, limits: HourLimits, now: Date): void;
}

/** Logs each of the two lines at most once an hour. */
export const makeBudgetLog = (log: LogCounts): BudgetLog => {
	const logged = new Map<string, number>();
	const once = (event: string, used: number, limit: number, now: Date): void => {
		const hour = hourOf(now).getTime();
		if (logged.get(event) === hour) return;
		logged.set(event, hour);
		log(event, { used, limit });
	};
	return {
		report: (used, { all, unknown }, now) => {
			if (used >= unknown) once('email_budget_unknown_used_up', used, all, now);
			if (used >= all) once('email_budget_used_up', used, all, now);
		}
	};
};
