/** Runs work that must neither delay nor fail a response. */
export interface Background {
	/**
	 * Runs `work` at most once, soon, and returns without waiting. A failure is logged under `name`
	 * and has no other effect.
	 */
	run(name: string, work: () => Promise<void>): void;

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
 * turn. Returns the sum.
 */
export const inBatches = async (
	limit: number,
	background: Background,
	removeSome: (limit: number) => Promise<number>
): Promise<number> => {
	let total = 0;
	for (;;) {
		const removed = await background.paced(() => removeSome(limit));
		total += removed;
		if (removed < limit) return total;
	}
};
