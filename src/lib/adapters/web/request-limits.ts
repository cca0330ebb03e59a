import type { Clock } from '#lib/domain/ports/clock.ts';
import { limitKey, networkPrefix } from './client-address.ts';
import { rateLimiter, type HitVerdict, type RateLimiter } from './rate-limit.ts';
import {
	LIMITS,
	limitsOf,
	type Charge,
	type LimitedRequest,
	type LimitName
} from './route-limits.ts';

export interface RequestLimits {
	/** Counts a request of the client at `address` against all it falls under. */
	hit(address: string, request: LimitedRequest): HitVerdict;
}

/**
 * Keys told apart by each of the three limiters of clients. A million distinct ones leave 10 MB behind; with
 * every key at its limit, which takes millions of requests a minute, the largest one holds 64 MB.
 */
export const LIMIT_CAPACITY = 50_000;

/**
 * How many times the limit of one client a network gets. An attacker who owns a /48 has 65,536
 * clients of IPv6 in it, so without this limit the limit of a client would not bind them.
 * The limiters of networks keep a quarter of the keys, so they need no more memory than the others.
 */
export const NETWORK_FACTOR = 4;

const ALLOWED: HitVerdict = { allowed: true };

type Limiters = Readonly<Record<LimitName, RateLimiter>>;

/**
 * All limits of one process, per client and per network of clients. A request counts against all of
 * its limits or against none, and a
 * refusal names the longest wait, so who obeys it is not refused by another limit next.
 */
export const requestLimits = (clock: Clock, capacity = LIMIT_CAPACITY): RequestLimits => {
	const limitersOf = (factor: number): Limiters => {
		const limiterOf = (name: LimitName): RateLimiter => {
			const { limit, window } = LIMITS[name];
			return rateLimiter({
				limit: limit * factor,
				window,
				clock,
				capacity: Math.ceil(capacity / factor)
			});
		};
		return { route: limiterOf('route'), send: limiterOf('send'), verify: limiterOf('verify') };
	};
	const ofClients = limitersOf(1);
	const ofNetworks = limitersOf(NETWORK_FACTOR);
	const longestWait = (due: readonly Charge[], client: string, network: string): number => {
		let longest = 0;
		for (const { name, key } of due) {
			const ofClient = ofClients[name].wait(`${client} ${key}`);
			longest = Math.max(longest, ofClient, ofNetworks[name].wait(`${network} ${key}`));
		}
		return longest;
	};
	return {
		hit: (address, request) => {
			const due = limitsOf(request);
			if (due.length === 0) return ALLOWED;
			const client = limitKey(address);
			const network = networkPrefix(address);
			const wait = longestWait(due, client, network);
			if (wait > 0) return { allowed: false, retryAfter: wait };
			for (const { name, key } of due) {
				// New keys that share a slot wait for each other, which only a hit shows.
				const verdict = ofClients[name].hit(`${client} ${key}`);
				if (!verdict.allowed) return verdict;
				const ofAll = ofNetworks[name].hit(`${network} ${key}`);
				if (!ofAll.allowed) return ofAll;
			}
			return ALLOWED;
		}
	};
};
