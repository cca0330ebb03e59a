import { hourOf, type HourLimits } from './budget.ts';

/** Tells the operator that an hour's emails are nearly or completely used up. */
export interface BudgetLog {
	/** `used` counts the emails of the hour of `now`. */
	note(used: number, limits: HourLimits, now: Date): void;
}

export type LogCounts = (event: string, counts: Readonly<Record<string, number>>) => void;

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
		note: (used, { all, unknown }, now) => {
			if (used >= unknown) once('email_budget_80_percent', used, all, now);
			if (used >= all) once('email_budget_used_up', used, all, now);
		}
	};
};
