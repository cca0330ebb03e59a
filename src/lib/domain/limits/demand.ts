import type { AuthPolicy } from '../policy.ts';
import { shareOf, type BudgetPolicy } from './budget.ts';

/** What was counted before a send of an unknown client. Nothing here depends on accounts. */
export interface Pressure {
	/** Sends to the mailbox in the window. */
	readonly sends: number;
	/** Those of them that came from the client's network. */
	readonly fromNetwork: number;
	/** All emails of the hour. */
	readonly emails: number;
	/** Codes that were entered correctly in the hour. */
	readonly usedCodes: number;
	/** Emails of the hour for unknown clients in this network. */
	readonly network: number;
}

export interface Demand {
	/** The level that the client must prove. Null when it needs no proof. */
	readonly level: number | null;
	/** Whether its network must prove more than a client can solve in time. */
	readonly isBeyond: boolean;
}

/**
 * The work for a send of an unknown client. It rises with the pressure on the mailbox, on the network
 * and on the site.
 */
export const demandOf = (pressure: Pressure, policy: AuthPolicy): Demand => {
	const { budget, proof } = policy;
	const shared = [networkLevel(pressure, budget), siteLevel(pressure, budget)].filter(isLevel);
	const ofMailbox = mailboxLevel(pressure, policy.throttle);
	const parts = ofMailbox === null ? shared : [...shared, ofMailbox];
	return {
		level: parts.length === 0 ? null : Math.min(sum(parts), proof.maxLevel),
		isBeyond: typeof budget.limit === 'number' && sum(shared) > proof.maxLevel
	};
};

/** The work for a check while there are this many wrong guesses a minute. */
export const guessLevel = (wrongGuesses: number, { guessing, proof }: AuthPolicy): number =>
	Math.min(doublings(wrongGuesses, guessing.proofAbove), proof.maxLevel);

const isLevel = (level: number | null): level is number => level !== null;

const sum = (levels: readonly number[]): number => levels.reduce((all, level) => all + level, 0);

const doublings = (count: number, base: number): number =>
	Math.max(0, Math.floor(Math.log2(Math.max(count, 1) / Math.max(base, 1))));

/** The third to fifth send from one network. Sends from others raise the level. */
const mailboxLevel = (
	{ sends, fromNetwork }: Pressure,
	{ networkFree }: AuthPolicy['throttle']
): number | null => (fromNetwork >= networkFree ? Math.max(0, sends - networkFree) : null);

/** A network that took more than its part of the share. */
const networkLevel = ({ network }: Pressure, budget: BudgetPolicy): number | null => {
	if (typeof budget.limit !== 'number') return null;
	const share = shareOf(budget);
	const above = network - share * budget.networkShare;
	return above > 0 ? Math.floor(above / Math.max(1, share * budget.networkStep)) : null;
};

/** All unknown clients, while the site sends more than usual. */
const siteLevel = (pressure: Pressure, budget: BudgetPolicy): number | null => {
	const { emails, network } = pressure;
	if (budget.limit === 'off') return null;
	if (budget.limit === 'none') {
		if (emails < budget.usual) return unusedLevel(pressure, budget);
		return doublings(emails, budget.usual) + doublings(network, emails * budget.networkShare);
	}
	const from = budget.limit * budget.proofFrom;
	// A limit protects the site, so codes may go unused until much of it is used.
	if (emails < from) return null;
	const share = shareOf(budget);
	const used = Math.min(1, (emails - from) / Math.max(1, share - from));
	const ofNetwork = Math.floor(network / Math.max(1, share * budget.busyStep));
	const ofSite = Math.min(budget.siteLevels - 1, Math.floor(used * budget.siteLevels));
	return ofSite + ofNetwork * budget.busyLevels;
};

/** The first level, when an unusual part of the hour's codes was not used. */
const unusedLevel = (
	{ emails, usedCodes }: Pressure,
	{ unusedFrom, unusedPart }: BudgetPolicy
): number | null => (emails >= unusedFrom && usedCodes < emails * (1 - unusedPart) ? 0 : null);
