import type { AuthPolicy } from '../policy.ts';

const HOUR = 3_600_000;

/** The hour by the clock in which an email counts. */
export const hourOf = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR) * HOUR);

export const nextHour = (now: Date): Date => new Date(hourOf(now).getTime() + HOUR);

/** Room for the errors of multiplying with a fraction: 0.6 of 5 are 3. */
const whole = (value: number): number => Math.floor(value + 1e-9);

export type BudgetPolicy = AuthPolicy['budget'];

/** The policy of an installation that sends at most so many emails an hour. */
export const withEmailBudget = (policy: AuthPolicy, limit: BudgetPolicy['limit']): AuthPolicy => ({
	...policy,
	budget: { ...policy.budget, limit }
});

/** The emails of an hour that unknown clients share. Without a limit, a usual hour counts as one. */
export const shareOf = ({ limit, unknownShare, usual }: BudgetPolicy): number =>
	whole((typeof limit === 'number' ? limit : usual) * unknownShare);

/** Emails of an hour that can be sent for tickets. */
export const ticketsOf = (budget: BudgetPolicy): number =>
	Math.max(1, whole(shareOf(budget) * budget.ticketShare));

/** How many emails of the hour this caller may use. Null when none is refused. */
export const emailsFor = (budget: BudgetPolicy, isKnown: boolean): number | null => {
	if (typeof budget.limit !== 'number') return null;
	return isKnown ? budget.limit : shareOf(budget);
};

/**
 * The part of a number that one of several counters has. The parts of all counters are the number.
 */
export const quotaOf = (total: number, counter: number, counters: number): number =>
	Math.floor((total * (counter + 1)) / counters) - Math.floor((total * counter) / counters);
