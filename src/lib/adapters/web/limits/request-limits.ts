import type { Clock } from '#lib/domain/clock.ts';
import { limitKey, networkPrefix } from './client-address.ts';
import { rateLimiter, type HitVerdict, type RateLimiter } from './limiter.ts';
import { LIMITS, type LimitName } from './client-limits.ts';
import { limitsOf, type Charge, type LimitedRequest } from './route-limits.ts';

export interface RequestLimits {
	/** Counts a request of the client at `address` against all limits that apply to it. */
	hit(address: string, request: LimitedRequest): HitVerdict;
}

/**
 * The number of keys in each of the three limiters per client. After a million different keys, 10
 * MB stay in use. If every key is at its limit, which takes millions of requests per minute, the
 * largest limiter takes 64 MB.
 */
export const LIMIT_CAPACITY = 50_000;

/**
 * A network gets this many times the limit of one client. An attacker with an IPv6 /48 has 65,536
 * clients, so limits per client alone would not stop them. The network limiters hold a quarter of
 * the keys, so they need no more memory than the others.
 */
export const NETWORK_FACTOR = 4;

const ALLOWED: HitVerdict = { allowed: true };

type Limiters = Readonly<Record<LimitName, RateLimiter>>;

/**
 * All limits of one process, per client and per network. A request counts against all of its limits
 * or against none. A refusal reports the longest wait, so a client that waits is not refused by
 * another limit.
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
		return { default: limiterOf('default'), send: limiterOf('send'), check: limiterOf('check') };
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
				// A new key in a shared slot can still be refused. `wait` does not see that, only `hit`
				// does.
				const verdict = ofClients[name].hit(`${client} ${key}`);
				if (!verdict.allowed) return verdict;
				const ofAll = ofNetworks[name].hit(`${network} ${key}`);
				if (!ofAll.allowed) return ofAll;
			}
			return ALLOWED;
		}
	};
};
