/** Work that must not delay or fail an answer. */
export interface Background {
	/** Runs `work` at most once, soon, and returns without waiting. Its failure is logged under `name` and goes no further. */
	run(name: string, work: () => Promise<void>): void;

	/**
	 * Does one piece of a long work at once and gives what it gives, but only after a rest that is
	 * longer than the piece took: whoever answers requests, in this process or in another one on the
	 * same database, has its turn in between. A failure is the caller's, and comes without a rest.
	 */
	unhurried<T>(piece: () => Promise<T>): Promise<T>;
}
