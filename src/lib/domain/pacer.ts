/** Spreads a long job, so that it does not delay requests. */
export interface Pacer {
	/**
	 * Runs one piece of a long job immediately and returns its result. It resolves only after a
	 * pause that is longer than the piece took. In between, requests get their turn, in this
	 * process or in another process on the same database. A failure is passed to the caller,
	 * without a pause.
	 */
	paced<T>(piece: () => Promise<T>): Promise<T>;
}

/**
 * Runs small statements one after the other with a pause after each, so that requests get their
 * turn, until nothing is left that can be removed. Returns the sum.
 */
export const inBatches = async (
	limit: number,
	pacer: Pacer,
	removeSome: (limit: number) => Promise<number>
): Promise<number> => {
	let total = 0;
	for (;;) {
		const removed = await pacer.paced(() => removeSome(limit));
		total += removed;
		// Not at the first small batch: rows that are in use are skipped.
		if (removed === 0) return total;
	}
};
