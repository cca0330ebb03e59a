import type { Clock } from '#lib/domain/time.ts';

/**
 * Returns a function that measures elapsed milliseconds and never goes back. If the clock is set
 * back, time continues from the new setting. If it is set forward, spans can only end early.
 */
export const monotonicElapsed = (clock: Clock): (() => number) => {
	let elapsed = 0;
	let before = clock.now().getTime();
	return () => {
		const now = clock.now().getTime();
		elapsed += Math.max(0, now - before);
		before = now;
		return elapsed;
	};
};
