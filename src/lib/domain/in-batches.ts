import type { Background } from './ports/background.ts';

/**
 * Small statements one after the other, with a rest after each, leave room for requests in between.
 * Returns the sum.
 */
export const inBatches = async (
	limit: number,
	background: Background,
	removeSome: (limit: number) => Promise<number>
): Promise<number> => {
	let total = 0;
	for (;;) {
		const removed = await background.unhurried(() => removeSome(limit));
		total += removed;
		if (removed < limit) return total;
	}
};
