import type { Monotonic } from '../session/cache-validity.ts';
import { limitKey, networkPrefix } from './client-address.ts';
import { rateLimiter } from './limiter.ts';
import { LIMITS, type LimitName } from './limits.ts';
import { limitsOf, type LimitedRequest } from './limits-of-request.ts';

/**
 * Counts a request of the client at `address`, or of the account with this id. Returns 0 if all its
 * limits allow it. Otherwise counts nothing and returns the whole seconds until they do.
 */
export type HitLimits = (address: string, request: LimitedRequest) => number;

/**
 * The number of keys in each of the three limiters per client. After a million different keys, 13
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

/**
 * All limits of one process, per client and per network. A request counts against all of its limits
 * or against none. A refusal reports the longest wait, so a client that waits is not refused by
 * another limit.
 */
export const requestLimits = (monotonic: Monotonic, capacity = LIMIT_CAPACITY): HitLimits => {
	const limitersOf = (factor: number) => {
		const limiterOf = (name: LimitName) => {
			const { limit, window } = LIMITS[name];
			return rateLimiter({
				limit: limit * factor,
				window,
				monotonic,
				capacity: Math.ceil(capacity / factor)
			});
		};
		return { default: limiterOf('default'), send: limiterOf('send'), check: limiterOf('check') };
	};
	const ofClients = limitersOf(1);
	const ofNetworks = limitersOf(NETWORK_FACTOR);
	return (address, request) => {
		const due = limitsOf(request);
		if (due.length === 0) return 0;
		const client = limitKey(address);
		const network = networkPrefix(address);
		const charges = [
			...due.map(({ name, key }) => ({ limiter: ofNetworks[name], key: `${network} ${key}` })),
			...due.map(({ name, key }) => ({ limiter: ofClients[name], key: `${client} ${key}` }))
		];
		const wait = Math.max(...charges.map(({ limiter, key }) => limiter.wait(key)));
		if (wait > 0) return wait;
		for (const { limiter, key } of charges) limiter.hit(key);
		return 0;
	};
};
