import type { Clock } from '#lib/domain/ports/clock.ts';
import { limitKey } from './client-address.ts';
import { rateLimiter, type HitVerdict, type RateLimiter } from './rate-limit.ts';
import { LIMITS, limitsOf, type LimitedRequest, type LimitName } from './route-limits.ts';

export interface RequestLimits {
	/** Counts a request of the client at `address` against all it falls under. */
	hit(address: string, request: LimitedRequest): HitVerdict;
}

/**
 * Keys told apart by each of the three limiters. A million distinct ones leave 10 MB behind; with
 * every key at its limit, which takes millions of requests a minute, the largest one holds 64 MB.
 */
export const LIMIT_CAPACITY = 50_000;

const ALLOWED: HitVerdict = { allowed: true };

/**
 * All limits of one process. A request counts against all of its limits or against none, and a
 * refusal names the longest wait, so who obeys it is not refused by another limit next.
 */
export const requestLimits = (clock: Clock, capacity = LIMIT_CAPACITY): RequestLimits => {
	const limiterOf = (name: LimitName): RateLimiter =>
		rateLimiter({ ...LIMITS[name], clock, capacity });
	const limiters: Readonly<Record<LimitName, RateLimiter>> = {
		route: limiterOf('route'),
		send: limiterOf('send'),
		verify: limiterOf('verify')
	};
	return {
		hit: (address, request) => {
			const due = limitsOf(request);
			if (due.length === 0) return ALLOWED;
			const client = limitKey(address);
			const charges = due.map(({ name, key }) => ({
				limiter: limiters[name],
				key: `${client} ${key}`
			}));
			// One alone counts and refuses in one go.
			const wait =
				charges.length === 1
					? 0
					: Math.max(...charges.map(({ limiter, key }) => limiter.wait(key)));
			if (wait > 0) return { allowed: false, retryAfter: wait };
			for (const { limiter, key } of charges) {
				// Newcomers that share a slot wait for others, which is only seen here.
				const verdict = limiter.hit(key);
				if (!verdict.allowed) return verdict;
			}
			return ALLOWED;
		}
	};
};
