import type { AuthPolicy } from '../policy.ts';

/** Used codes and wrong guesses that one process has counted since it last wrote them. */
export interface Guesses {
	readonly used: number;
	readonly wrong: number;
}

/** The counts of the whole site, over all instances. */
export interface SiteCounts {
	/**
	 * Counts an email that no limit refuses, for the hour of `now`. Other callers get one email less
	 * than the limit of `policy.budget` allows, also concurrent ones. With `off`, counts nothing.
	 */
	countEmail(now: Date, policy: AuthPolicy): Promise<void>;

	/**
	 * Adds guesses at `now`, and returns the wrong guesses of the last minute, these included. That
	 * minute is rounded up to whole ten seconds.
	 */
	countGuesses(guesses: Guesses, now: Date): Promise<number>;

	/**
	 * Removes at most `limit` counts that began at least a day before `now`. Returns how many. No
	 * decision needs them.
	 */
	prune(now: Date, limit: number): Promise<number>;
}
