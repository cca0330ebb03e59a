import type { Clock } from '#lib/domain/ports/clock.ts';

/** An answer that took longer, in milliseconds, says too little about when it was given. */
const MAX_ROUND_TRIP = 250;
/** Unless nothing better came for this long, in milliseconds. */
const MAX_AGE = 10_000;

/** The server's time, and when, by this process's `performance.now()`, it was asked for and told. */
export interface TimeSample {
	readonly asked: number;
	readonly answered: number;
	readonly serverTime: number;
}

export interface DatabaseClock extends Clock {
	/** The database has said what time it is. */
	learn(sample: TimeSample): void;
}

/**
 * The database's time, which all instances share however their machines' clocks are set. Between
 * two answers it goes by the process's monotonic clock, so that nobody's setting of a clock moves it.
 */
export const databaseClock = (): DatabaseClock => {
	let ahead: number | null = null;
	let asked = -Infinity;
	return {
		learn: (sample) => {
			const roundTrip = sample.answered - sample.asked;
			const isStale = sample.answered - asked > MAX_AGE;
			// Answers of two connections may overtake each other.
			if (sample.asked < asked || (roundTrip > MAX_ROUND_TRIP && !isStale)) return;
			asked = sample.asked;
			ahead = sample.serverTime - (sample.asked + roundTrip / 2);
		},
		now: () => new Date(ahead === null ? Date.now() : Math.round(performance.now() + ahead))
	};
};
