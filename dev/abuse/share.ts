import { defaultPolicy } from '#lib/domain/policy.ts';
import { CORES, NETWORKS, simulateShare, type Share, type Strategy } from './share-simulation.ts';
import { printRow } from './table.ts';

const STRATEGIES: readonly Strategy[] = [
	{ name: 'all networks alike', early: NETWORKS, atOnce: 0, tickets: true },
	{ name: '160 networks wait until work is needed', early: 40, atOnce: NETWORKS, tickets: true },
	// Few networks pay for most of the emails. The others then take the most that one can have.
	{ name: '188 wait, then 16 at a time', early: 12, atOnce: CORES, tickets: false }
];

/** The requirement is checked from here on. The smaller limits are outside the guarantee. */
const { guaranteedFrom } = defaultPolicy.budget;
const LIMITS = [1000, 2000, 3000, guaranteedFrom, 20_000] as const;
/** At least this part of the newcomers must be served. */
const REQUIRED = 0.5;
/** The newcomers come at other times with each seed. The table shows the worst. */
const SEEDS = ['1', '2', '3'] as const;

const HEADINGS = [
	'Strategy',
	'EMAIL_BUDGET',
	"Attacker's emails",
	"Attacker's processor time",
	'Newcomers served',
	'with a solver 4 times as fast',
	'At least half'
];

const partOf = ({ served, newcomers }: Share): number => served / newcomers;

const servedOf = (share: Share): string =>
	`${share.served} of ${share.newcomers} (${(partOf(share) * 100).toFixed(0)} %)`;

const worstOf = async (strategy: Strategy, limit: number, levelZero: number): Promise<Share> => {
	const shares: Share[] = [];
	for (const seed of SEEDS) shares.push(await simulateShare(strategy, limit, levelZero, seed));
	return shares.reduce((worst, share) => (partOf(share) < partOf(worst) ? share : worst));
};

const verdictOf = (limit: number, isEnough: boolean): string => {
	if (limit < guaranteedFrom) return 'outside the guarantee';
	return isEnough ? 'yes' : 'NO';
};

/**
 * Prints how many newcomers are served while 200 networks use up the emails. False if they are fewer
 * than required.
 */
export const measureShare = async (levelZero: number): Promise<boolean> => {
	let isKept = true;
	console.log(
		`\nThe share of unknown clients: ${NETWORKS} networks, ${CORES} cores, the rule with the store in memory.\n`
	);
	printRow(HEADINGS);
	printRow(HEADINGS.map(() => '---'));
	for (const limit of LIMITS) {
		for (const strategy of STRATEGIES) {
			const share = await worstOf(strategy, limit, levelZero);
			const faster = await worstOf(strategy, limit, levelZero / 4);
			const isEnough = Math.min(partOf(share), partOf(faster)) >= REQUIRED;
			if (limit >= guaranteedFrom) isKept &&= isEnough;
			printRow([
				strategy.name,
				String(limit),
				String(share.taken),
				`${share.processorSeconds.toFixed(0)} s`,
				servedOf(share),
				servedOf(faster),
				verdictOf(limit, isEnough)
			]);
		}
	}
	return isKept;
};
