import type { RateLimiter, RateLimiterOptions } from '#lib/adapters/web/edge/limits/limiter.ts';

type Refusal = (left: number) => { allowed: false; retryAfter: number };
const refusal: Refusal = (left) => ({ allowed: false, retryAfter: Math.ceil(left / 1000) });

/** Counts from the first hit to the end of its window, then starts at zero. Keeps every key. */
export const fixedWindowLimiter = ({ limit, window, clock }: RateLimiterOptions): RateLimiter => {
	const counters = new Map<string, { since: number; count: number }>();
	const span = window * 1000;
	return {
		wait: () => 0,
		takeBack: (key) => {
			const counter = counters.get(key);
			if (counter !== undefined) counter.count -= 1;
		},
		hit: (key) => {
			const now = clock.now().getTime();
			const known = counters.get(key);
			const counter = known && known.since + span > now ? known : { since: now, count: 0 };
			counters.set(key, counter);
			if (counter.count >= limit) return refusal(counter.since + span - now);
			counter.count += 1;
			return { allowed: true };
		}
	};
};

/** Slides, but keeps its keys in a cache that evicts the least recently counted one. */
export const cachedLimiter = ({
	limit,
	window,
	clock,
	capacity
}: RateLimiterOptions): RateLimiter => {
	const cache = new Map<string, number[]>();
	const span = window * 1000;
	return {
		wait: () => 0,
		takeBack: (key) => void cache.get(key)?.pop(),
		hit: (key) => {
			const now = clock.now().getTime();
			const hits = (cache.get(key) ?? []).filter((instant) => instant + span > now);
			const [oldest] = hits;
			if (oldest !== undefined && hits.length >= limit) return refusal(oldest + span - now);
			cache.delete(key);
			cache.set(key, [...hits, now]);
			if (cache.size > capacity) cache.delete(cache.keys().next().value ?? '');
			return { allowed: true };
		}
	};
};
