/** Small statements one after the other leave room for requests in between. Returns the sum. */
export const inBatches = async (
	limit: number,
	removeSome: (limit: number) => Promise<number>
): Promise<number> => {
	let total = 0;
	for (;;) {
		const removed = await removeSome(limit);
		total += removed;
		if (removed < limit) return total;
	}
};
