import { describe, expect, it } from 'vitest';
import { memoryStores } from '#lib/adapters/memory/stores.ts';
import { withEmailBudget } from '#lib/domain/limits/budget.ts';
import type { Hit } from '#lib/domain/limits/throttle.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import type { Email } from '#lib/domain/index.ts';
import { aNetwork, aProof, aSend, secondsFromStart } from '../../support/domain/builders.ts';

/*
 * An hour with an attacker who wants all emails of unknown clients: 200 networks, 16 processor
 * cores, a native solver, and any strategy per network. Honest newcomers come from other networks at
 * regular times, each with a phone.
 */

const LIMIT = defaultPolicy.budget.guaranteedFrom;
const NEWCOMERS = 300;
const CORES = 16;
/** How long a core takes for level 0. A phone takes a second. */
const CORE_SECONDS = 0.1;
/** How long a newcomer waits for the work. */
const PATIENCE = 60;
const policy = withEmailBudget(defaultPolicy, LIMIT);

interface Outcome {
	readonly served: number;
	readonly taken: number;
	/** Newcomers who proved work, by level. */
	readonly levels: readonly number[];
}

/**
 * `order` says which network the attacker uses for the next email, given the emails of each, and of
 * all. A network that is refused for the rest of the hour counts as infinite.
 */
const simulate = async (
	order: (taken: readonly number[], total: number) => number,
	networks = 200
): Promise<Outcome> => {
	const { throttle } = memoryStores();
	let made = 0;
	const send = (seconds: number, network: string, level: number | null): Promise<Hit> => {
		const proof = level === null ? null : aProof({ level });
		const email = `someone${(made += 1)}@example.com` as Email;
		const about = { network: aNetwork(network), proof };
		return throttle.hit(aSend(email, secondsFromStart(seconds), about), policy);
	};
	const taken = Array.from({ length: networks }, () => 0);
	const exhausted = new Set<number>();
	let work = 0;
	let taking = 0;
	/** The attacker works on one proof after the other, with all cores. */
	const attackUntil = async (seconds: number): Promise<void> => {
		while (work <= seconds && exhausted.size < networks) {
			const now = Math.max(work, 0);
			const counts = taken.map((count, i) => (exhausted.has(i) ? Infinity : count));
			const index = order(counts, taking);
			const network = `attacker ${index}`;
			let hit = await send(now, network, null);
			if (hit.kind === 'proof_required') {
				work = now + (CORE_SECONDS * 2 ** hit.level) / CORES;
				hit = await send(Math.min(work, 3599), network, hit.level);
			}
			if (hit.kind === 'allowed') {
				taken[index] = (taken[index] ?? 0) + 1;
				taking += 1;
			} else if (hit.kind === 'over_budget') exhausted.add(index);
		}
	};
	let served = 0;
	const levels: number[] = [];
	for (let person = 0; person < NEWCOMERS; person += 1) {
		const arrival = 1 + (person * 3590) / NEWCOMERS;
		await attackUntil(arrival);
		const network = `home ${person}`;
		let hit = await send(arrival, network, null);
		if (hit.kind === 'proof_required' && 2 ** hit.level <= PATIENCE) {
			levels.push(hit.level);
			hit = await send(arrival, network, hit.level);
		}
		if (hit.kind === 'allowed') served += 1;
	}
	return { served, taken: taking, levels };
};

/** The network with the fewest emails. */
const fewest = (taken: readonly number[]): number => taken.indexOf(Math.min(...taken));

describe('an attacker with 200 networks and 16 cores', () => {
	it('S24 who uses all networks alike leaves at least half of the newcomers from elsewhere served', async () => {
		const { served, taken, levels } = await simulate(fewest);
		expect(taken).toBeGreaterThan(LIMIT * 0.5);
		expect(served).toBeGreaterThanOrEqual(NEWCOMERS / 2);
		expect(Math.max(...levels)).toBeLessThanOrEqual(3);
	});

	it('S24 who keeps most networks unused until work is needed does so too', async () => {
		// 12 networks pay for what others need no proof for. Each other one then takes all that it can.
		const { served, taken } = await simulate((counts, total) => {
			const early = counts.slice(0, 12);
			const others = counts.slice(12).filter(Number.isFinite);
			const isEarly = total < LIMIT * 0.6 || others.length === 0;
			if (isEarly && early.some(Number.isFinite)) return fewest(early);
			return counts.indexOf(Math.max(...others), 12);
		});
		expect(taken).toBeGreaterThan(LIMIT * 0.5);
		expect(served).toBeGreaterThanOrEqual(NEWCOMERS / 2);
	});

	it('with one network takes at most a tenth of the share, and no newcomer proves work', async () => {
		const { served, taken, levels } = await simulate(fewest, 1);
		expect(taken).toBeLessThanOrEqual(LIMIT * 0.8 * 0.11);
		expect([served, levels]).toEqual([NEWCOMERS, []]);
	});
});
