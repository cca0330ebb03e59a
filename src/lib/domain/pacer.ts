/** Spreads a long job, so that it does not delay requests. */
export interface Pacer {
	/**
	 * Runs one piece of a long job immediately and returns its result. It resolves only after a
	 * pause that is longer than the piece took. During the pause, requests can use the database, in
	 * this process and in others. An error is thrown without a pause.
	 */
	paced<T>(piece: () => Promise<T>): Promise<T>;
}

/** Calls `removeSome`, with a pause after each call, until it removes nothing. Returns the sum. */
export const inBatches = async (
	limit: number,
	pacer: Pacer,
	removeSome: (limit: number) => Promise<number>
): Promise<number> => {
	let total = 0;
	for (;;) {
		const removed = await pacer.paced(() => removeSome(limit));
		total += removed;
		// A batch can be small because locked rows were skipped, so stop only at zero.
		if (removed === 0) return total;
	}
};
