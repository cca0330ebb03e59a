/** The numbers of the budget. */
export interface BudgetPolicy {
	/**
	 * Emails an hour for all. With `none`, no email is refused. With `off`, the emails of the site
	 * are not counted.
	 */
	readonly limit: number | 'none' | 'off';
	/**
	 * From this limit on, an attacker with 200 networks leaves at least half of the newcomers served.
	 * With a smaller one, the emails that need work are fewer than such an attacker can take.
	 */
	readonly guaranteedFrom: number;
	/** The first part of the limit. Unknown clients get no more than this share. */
	readonly unknownShare: number;
	/** Once this part of the limit is used, each unknown client proves work. */
	readonly proofFrom: number;
	/** The number of levels from that part to the end of the share. */
	readonly siteLevels: number;
	/** Without a limit, unknown clients prove work from this many emails an hour. */
	readonly usual: number;
	/** The part of the share that a network gets without a proof. */
	readonly networkShare: number;
	/** Each further such part raises the level for the network by one. */
	readonly networkStep: number;
	/**
	 * While each unknown client proves work: each such part of the share (at least one email) that a
	 * network has taken raises its level by `busyLevels`.
	 */
	readonly busyStep: number;
	readonly busyLevels: number;
	/** The part of the share that can be sent for tickets. */
	readonly ticketShare: number;
	/** Tickets of one network that can be open at the same time. */
	readonly openTickets: number;
	/**
	 * Without a limit, unknown clients also prove work when more than this part of the hour's codes was
	 * not used, once there are so many emails.
	 */
	readonly unusedPart: number;
	readonly unusedFrom: number;
}

export const defaultBudget: BudgetPolicy = {
	limit: 'none',
	guaranteedFrom: 5000,
	unknownShare: 0.8,
	proofFrom: 0.6,
	siteLevels: 4,
	usual: 600,
	networkShare: 0.02,
	networkStep: 0.01,
	busyStep: 0.00025,
	busyLevels: 3,
	ticketShare: 0.05,
	openTickets: 2,
	unusedPart: 0.8,
	unusedFrom: 200
};

const HOUR = 3_600_000;

/** The hour by the clock in which an email counts. */
export const hourOf = (now: Date): Date => new Date(Math.floor(now.getTime() / HOUR) * HOUR);

export const nextHour = (now: Date): Date => new Date(hourOf(now).getTime() + HOUR);

/** Room for the errors of multiplying with a fraction: 0.6 of 5 are 3. */
export const whole = (value: number): number => Math.floor(value + 1e-9);

/** The policy of an installation that sends at most so many emails an hour. */
export const withEmailBudget = <Policy extends { readonly budget: BudgetPolicy }>(
	policy: Policy,
	limit: BudgetPolicy['limit']
): Policy => ({ ...policy, budget: { ...policy.budget, limit } });

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
