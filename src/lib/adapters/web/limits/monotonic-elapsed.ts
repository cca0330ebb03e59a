import type { Clock } from '#lib/domain/ports/clock.ts';

/**
 * Milliseconds that went by, as far as the clock tells. A clock that is set back stops nothing: from
 * then on it is read from where it was set to. One that is set forward at most ends spans early.
 */
export const stopwatch = (clock: Clock): (() => number) => {
	let elapsed = 0;
	let before = clock.now().getTime();
	return () => {
		const now = clock.now().getTime();
		elapsed += Math.max(0, now - before);
		before = now;
		return elapsed;
	};
};
