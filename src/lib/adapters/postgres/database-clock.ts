import type { Clock } from '#lib/domain/ports/clock.ts';

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
 *
 * An answer was given at some moment between the question and its arrival. What is believed moves
 * only as far as that demands: quick answers settle it, slow ones change nothing they do not refute,
 * and the clock goes back only when the server's did.
 */
export const databaseClock = (): DatabaseClock => {
	/** How far it is ahead of `performance.now()`, in milliseconds; the machine's time to begin with. */
	let ahead = performance.timeOrigin;
	let lastAsked = -Infinity;
	return {
		learn: ({ asked, answered, serverTime }) => {
			// Answers of two connections may overtake each other.
			if (asked < lastAsked) return;
			const isFirst = lastAsked === -Infinity;
			const [least, most] = [serverTime - answered, serverTime - asked];
			ahead = isFirst ? (least + most) / 2 : Math.min(Math.max(ahead, least), most);
			lastAsked = asked;
		},
		now: () => new Date(Math.round(performance.now() + ahead))
	};
};
