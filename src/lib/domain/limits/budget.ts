import type { UserId } from '../ids.ts';
import { dayOf } from '../time.ts';
import type { Network } from './sender.ts';

/** The numbers of `EMAIL_BUDGET`. */
export interface BudgetPolicy {
	/** Emails that clients may request in an hour by the clock. With `off`, nothing is counted. */
	readonly limit: number | 'off';
	/** The first part of the limit. Unknown clients get no more than this share. */
	readonly unknownShare: number;
	/** The part of the limit that one network may use, known devices included. */
	readonly networkShare: number;
	/** A network may always use this many. */
	readonly networkLeast: number;
}

export const defaultBudget: BudgetPolicy = {
	limit: 'off',
	unknownShare: 0.8,
	networkShare: 0.02,
	networkLeast: 5
};

/** The policy of an installation in which clients may request so many emails an hour. */
export const withEmailBudget = <Policy extends { readonly budget: BudgetPolicy }>(
	policy: Policy,
	limit: BudgetPolicy['limit']
): Policy => ({ ...policy, budget: { ...policy.budget, limit } });

/** How many emails of an hour a caller may use. Each limit is at least one. */
export interface HourLimits {
	readonly all: number;
	readonly unknown: number;
	readonly network: number;
}

/** Null when nothing is counted. */
export const hourLimits = (budget: BudgetPolicy): HourLimits | null => {
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

const HOUR = 3_600_000;

/** The hour by the clock in which an email counts. */
export const hourOf = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR) * HOUR);

export const nextHour = (now: Date): Date => new Date(hourOf(now).getTime() + HOUR);

/** What a stored count counts, and when it began. */
export interface CountKey {
	readonly key: string;
	readonly since: Date;
}

export const emailsOf = (now: Date): CountKey => ({ key: 'emails', since: hourOf(now) });
export const emailsOfNetwork = (network: Network, now: Date): CountKey => ({
	key: `network ${network}`,
	since: hourOf(now)
});

/** Notices about devices of an account that cannot be recognised. */
export const noticesOf = (userId: UserId, now: Date): CountKey => ({
	key: `notices ${userId}`,
	since: dayOf(now)
});
