import { CORES, NETWORKS, simulateShare, type Share, type Strategy } from './share-simulation.ts';
import { printRow } from './table.ts';

const STRATEGIES: readonly Strategy[] = [
	{ name: 'all networks alike', early: NETWORKS, tickets: false },
	{ name: 'all networks alike, with tickets', early: NETWORKS, tickets: true },
	{ name: '160 networks wait until work is needed', early: NETWORKS - 160, tickets: true }
];

const LIMITS = [1000, 1500, 2000, 3000, 5000, 20_000] as const;

/**
 * The requirement is checked from this limit on. With fewer emails in the part of the share that needs
 * work, the attacker uses it up with one or two emails of each network.
 */
const REQUIRED_FROM = 3000;
/** At least this part of the newcomers must be served. */
const REQUIRED = 0.5;

const HEADINGS = [
	'Strategy',
	'EMAIL_BUDGET',
	"Attacker's emails",
	"Attacker's processor time",
	'Newcomers served',
	'with a solver 4 times as fast'
];

const servedOf = ({ served, newcomers }: Share): string =>
	`${served} of ${newcomers} (${((served / newcomers) * 100).toFixed(0)} %)`;

/**
 * Prints how many newcomers are served while 200 networks use up the emails. False if they are fewer
 * than required.
 */
export const measureShare = async (levelZero: number): Promise<boolean> => {
	let isEnough = true;
	console.log(
		`\nThe share of unknown clients: ${NETWORKS} networks, ${CORES} cores, the rule with the store in memory.\n`
	);
	printRow(HEADINGS);
	printRow(HEADINGS.map(() => '---'));
	for (const limit of LIMITS) {
		for (const strategy of STRATEGIES) {
			const share = await simulateShare(strategy, limit, levelZero);
			const faster = await simulateShare(strategy, limit, levelZero / 4);
			const { newcomers, served, taken, processorSeconds } = share;
			if (limit >= REQUIRED_FROM && served < newcomers * REQUIRED) isEnough = false;
			printRow([
				strategy.name,
				String(limit),
				String(taken),
				`${processorSeconds.toFixed(0)} s`,
				servedOf(share),
				servedOf(faster)
			]);
		}
	}
	return isEnough;
};
