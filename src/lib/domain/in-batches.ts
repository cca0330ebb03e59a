import type { Background } from './background.ts';

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
