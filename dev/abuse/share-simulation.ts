import { memoryStores } from '#lib/adapters/memory/stores.ts';
import type { Email, Network } from '#lib/domain/index.ts';
import { withEmailBudget } from '#lib/domain/limits/budget.ts';
import type { Hit } from '#lib/domain/limits/throttle.ts';
import { defaultPolicy } from '#lib/domain/policy.ts';
import { seeded } from '../../tests/support/simulation/seeded.ts';
import { eventQueue, type EventQueue } from './event-queue.ts';
import { attackerCores, type Cores } from './solver.ts';

/*
 * An hour with an attacker who wants all emails of unknown clients. It has 200 networks, 16 cores, a
 * native solver and tickets. Honest newcomers come from other networks, each with a phone. This uses
 * the rule itself with the store in memory: the attacker's proofs take no real time, so the hour can
 * be simulated for several limits.
 */

export const NETWORKS = 200;
export const CORES = 16;
const HOUR = 3600;
/** How long a newcomer waits for the work of a phone, in seconds. */
const PATIENCE = 60;
/** The newcomers, as a part of the share of unknown clients. */
const HONEST = 0.1;
/** Between two emails of one network of the attacker, so that the networks take turns. */
const STEP = 0.1;

const { lifetime, ticketWait } = defaultPolicy.proof;

export interface Strategy {
	readonly name: string;
	/** How many networks begin at once. The others begin when every network needs work. */
	readonly early: number;
	/** How many of the others are used at the same time. Each is used until it is refused. */
	readonly atOnce: number;
	readonly tickets: boolean;
}

export interface Share {
	readonly newcomers: number;
	readonly served: number;
	/** Emails that the attacker caused. */
	readonly taken: number;
	readonly processorSeconds: number;
}

interface Proof {
	readonly kind: 'work' | 'ticket';
	readonly level: number;
	readonly issued: number;
}

/** A send of an unknown client to a new email address. */
type Send = (second: number, network: string, proof: Proof | null) => Promise<Hit>;

const START = Date.UTC(2026, 0, 1);
const at = (second: number): Date => new Date(START + second * 1000);

const sendsWithin = (limit: number): Send => {
	const { throttle } = memoryStores();
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
					expiresAt: at(proof.issued + lifetime)
				}
			},
			policy
		);
	};
};

/**
 * The networks of the attacker. Returns how many emails they caused so far. `isBusy` is whether the
 * site asks every network for work. An attacker could learn that with one request.
 */
const attack = (
	send: Send,
	queue: EventQueue,
	cores: Cores,
	strategy: Strategy,
	isBusy: () => boolean
): (() => number) => {
	let taken = 0;
	let begun = strategy.early;
	let active = 0;
	const beginOthers = (now: number): void => {
		while (isBusy() && active < strategy.atOnce && begun < NETWORKS) {
			queue.plan(now, attempt(begun, null));
			begun += 1;
			active += 1;
		}
	};
	const attempt =
		(network: number, proof: Proof | null) =>
		async (now: number): Promise<void> => {
			const again = (second: number, next: Proof | null): void =>
				queue.plan(second, attempt(network, next));
			const hit = await send(now, `attacker ${network}`, proof);
			if (hit.kind === 'allowed') {
				taken += 1;
				again(now + STEP, null);
				return beginOthers(now);
			}
			// The network is refused for the rest of the hour.
			if (hit.kind !== 'proof_required') {
				if (network >= strategy.early) active -= 1;
				return beginOthers(now);
			}
			beginOthers(now);
			const { level, ticketAllowed } = hit;
			if (strategy.tickets && ticketAllowed && proof?.kind !== 'ticket') {
				return again(now + ticketWait, { kind: 'ticket', level: 0, issued: now });
			}
			const solved = cores.solve(level, now);
			again(solved, solved - now < lifetime ? { kind: 'work', level, issued: now } : null);
		};
	for (let network = 0; network < strategy.early; network += 1) {
		queue.plan(network / NETWORKS, attempt(network, null));
	}
	return () => taken;
};

/** Newcomers at random times, the same for a seed. Returns how many were served so far. */
const welcome = (
	send: Send,
	queue: EventQueue,
	newcomers: number,
	seed: string
): (() => number) => {
	let served = 0;
	const chance = seeded(seed);
	for (let person = 0; person < newcomers; person += 1) {
		const network = `home ${person}`;
		const come = async (now: number): Promise<void> => {
			const hit = await send(now, network, null);
			if (hit.kind === 'allowed') served += 1;
			if (hit.kind !== 'proof_required') return;
			const { level } = hit;
			// A phone solves level 0 in a second.
			const work = 2 ** level;
			if (work > PATIENCE) return;
			queue.plan(now + work, async (later) => {
				const again = await send(later, network, { kind: 'work', level, issued: now });
				if (again.kind === 'allowed') served += 1;
			});
		};
		queue.plan(chance() * HOUR, come);
	}
	return () => served;
};

export const simulateShare = async (
	strategy: Strategy,
	limit: number,
	levelZero: number,
	seed: string
): Promise<Share> => {
	const send = sendsWithin(limit);
	const queue = eventQueue(HOUR);
	const cores = attackerCores(CORES, levelZero);
	const { unknownShare, proofFrom } = defaultPolicy.budget;
	const newcomers = Math.round(limit * unknownShare * HONEST);
	const isBusy = (): boolean => taken() + served() >= limit * proofFrom;
	const taken = attack(send, queue, cores, strategy, isBusy);
	const served = welcome(send, queue, newcomers, seed);
	await queue.run();
	return { newcomers, served: served(), taken: taken(), processorSeconds: cores.used() };
};
