import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { withEmailBudget } from '#lib/domain/limits/budget.ts';
import type { Hit, Throttle } from '#lib/domain/limits/throttle.ts';
import type { Email, Network } from '#lib/domain/index.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { attackerCores } from './solver.ts';
import { printRow } from './table.ts';

/*
 * An hour with an attacker who wants all emails of unknown clients. It has 200 networks, 16 cores, a
 * native solver and tickets. Honest newcomers come from other networks, each with a phone. This uses
 * the rule itself with the store in memory: the attacker's proofs take no real time, so the hour can
 * be simulated for several limits.
 */

const NETWORKS = 200;
const CORES = 16;
const HOUR = 3600;
const LIFETIME = defaultPolicy.proof.lifetime;
/** How long a newcomer waits for the work of a phone, in seconds. */
const PATIENCE = 60;
/** The newcomers, as a part of the share of unknown clients. */
const HONEST = 0.1;

/** What the attacker does in each network. */
interface Strategy {
	readonly name: string;
	/** How many networks take emails before `work` is needed. The others begin then. */
	readonly early: number;
	readonly tickets: boolean;
}

const STRATEGIES: readonly Strategy[] = [
	{ name: 'all networks alike', early: NETWORKS, tickets: false },
	{ name: 'all networks alike, with tickets', early: NETWORKS, tickets: true },
	{ name: 'most networks wait until work is needed', early: 40, tickets: true }
];

interface Share {
	readonly newcomers: number;
	readonly served: number;
	readonly taken: number;
	readonly processorSeconds: number;
}

type Attempt = (second: number, network: string, proof: Proof | null) => Promise<Hit>;
type Proof = { readonly kind: 'work' | 'ticket'; readonly level: number; readonly issued: number };

const START = Date.UTC(2026, 0, 1);
const at = (second: number): Date => new Date(START + second * 1000);

const attempts = (throttle: Throttle, limit: number): Attempt => {
	const policy = withEmailBudget(defaultPolicy, limit);
	let made = 0;
	return (second, network, proof) => {
		made += 1;
		return throttle.hit(
			{
				email: `someone${made}@example.com` as Email,
				now: at(second),
				knownAs: null,
				network: network as Network,
				proof: proof && {
					kind: proof.kind,
					level: proof.level,
					id: `proof ${made}`,
					issuedAt: at(proof.issued),
					expiresAt: at(proof.issued + LIFETIME)
				}
			},
			policy
		);
	};
};

/** What happens next in a network of the attacker, or that a newcomer arrives. */
interface Event {
	readonly second: number;
	readonly run: (second: number) => Promise<void>;
}

const simulate = async (strategy: Strategy, limit: number, levelZero: number): Promise<Share> => {
	const attempt = attempts(memoryStores().throttle, limit);
	const cores = attackerCores(CORES, levelZero);
	const newcomers = Math.round(limit * defaultPolicy.budget.unknownShare * HONEST);
	const events: Event[] = [];
	let [served, taken] = [0, 0];
	let isWorkNeeded = false;

	const plan = (second: number, run: Event['run']): void => {
		if (second >= HOUR) return;
		const place = events.findLastIndex((event) => event.second <= second);
		events.splice(place + 1, 0, { second, run });
	};
	/** The next attempt of a network of the attacker. */
	const attack =
		(network: number, proof: Proof | null) =>
		async (second: number): Promise<void> => {
			const hit = await attempt(second, `attacker ${network}`, proof);
			// A step between two emails, so that the networks take turns.
			const next = second + 0.1;
			if (hit.kind === 'allowed') {
				taken += 1;
				return plan(next, attack(network, null));
			}
			isWorkNeeded = true;
			// The network is refused for the rest of the hour.
			if (hit.kind !== 'proof_required') return;
			const { level, ticketAllowed } = hit;
			const usesTicket = strategy.tickets && ticketAllowed && proof?.kind !== 'ticket';
			if (usesTicket) {
				const ticket: Proof = { kind: 'ticket', level: 0, issued: second };
				plan(second + defaultPolicy.proof.ticketWait, attack(network, ticket));
				return;
			}
			const solved = cores.solve(level, second);
			if (solved - second < LIFETIME) {
				plan(solved, attack(network, { kind: 'work', level, issued: second }));
			} else plan(solved, attack(network, null));
		};
	/** A network that waits until work is needed, to begin at the lowest level. */
	const lurk =
		(network: number) =>
		async (second: number): Promise<void> =>
			plan(second + 1, isWorkNeeded ? attack(network, null) : lurk(network));
	for (let network = 0; network < NETWORKS; network += 1) {
		plan(network / NETWORKS, network < strategy.early ? attack(network, null) : lurk(network));
	}
	for (let person = 0; person < newcomers; person += 1) {
		plan(((person + 0.5) * HOUR) / newcomers, async (second) => {
			const home = `home ${person}`;
			const hit = await attempt(second, home, null);
			if (hit.kind === 'allowed') served += 1;
			if (hit.kind !== 'proof_required' || 2 ** hit.level > PATIENCE) return;
			const { level } = hit;
			plan(second + 2 ** level, async (later) => {
				const again = await attempt(later, home, { kind: 'work', level, issued: second });
				if (again.kind === 'allowed') served += 1;
			});
		});
	}
	for (let event = events.shift(); event !== undefined; event = events.shift()) {
		await event.run(event.second);
	}
	return { newcomers, served, taken, processorSeconds: cores.used() };
};

/** At least this part of the newcomers must be served. */
const REQUIRED = 0.5;

/** Prints how many newcomers are served. False if they are fewer than required. */
export const measureShare = async (levelZero: number): Promise<boolean> => {
	let isEnough = true;
	console.log(
		`\nThe share of unknown clients: ${NETWORKS} networks, ${CORES} cores, the rule with the store in memory.\n`
	);
	const headings = [
		'Strategy',
		'EMAIL_BUDGET',
		'Solver',
		"Attacker's emails",
		"Attacker's processor time",
		'Newcomers served'
	];
	printRow(headings);
	printRow(headings.map(() => '---'));
	for (const limit of [1000, 1500, 2000, 3000, 5000, 20_000]) {
		for (const strategy of STRATEGIES) {
			for (const faster of [1, 4]) {
				const share = await simulate(strategy, limit, levelZero / faster);
				const { newcomers, served, taken, processorSeconds } = share;
				const part = served / newcomers;
				// The requirement is about the measured solver. A faster one shows the margin.
				if (faster === 1 && part < REQUIRED) isEnough = false;
				printRow([
					strategy.name,
					String(limit),
					faster === 1 ? 'as measured' : `${faster} times as fast`,
					String(taken),
					`${processorSeconds.toFixed(0)} s`,
					`${served} of ${newcomers} (${(part * 100).toFixed(0)} %)`
				]);
			}
		}
	}
	return isEnough;
};
