import type { Clock } from '#lib/domain/index.ts';

export interface FixedClock extends Clock {
	set(instant: Date): void;
	/** Moves the time by `seconds`, which can be negative or a fraction. */
	advance(seconds: number): void;
}

/** A clock that moves only when `advance` is called. */
export const fixedClock = (start: Date = new Date('2026-01-01T00:00:00.000Z')): FixedClock => {
	let time = start.getTime();
	return {
		// A new Date each time. Dates are mutable, so a shared one could change for other callers.
		now: () => new Date(time),
		set: (instant) => {
			time = instant.getTime();
		},
		advance: (seconds) => {
			time += seconds * 1000;
		}
	};
};
