export const median = (samples: readonly number[]): number => {
	const sorted = samples.toSorted((one, other) => one - other);
	const middle = sorted.length >> 1;
	return sorted.length % 2 === 1
		? (sorted[middle] ?? NaN)
		: ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
};

/**
 * The probability that of one time of each kind the longer one belongs to the known address, ties
 * split: 0.5 when the times reveal nothing, 1 when they reveal everything. Either kind may be the
 * slower one, so the result is never below 0.5.
 */
export const auc = (known: readonly number[], unknown: readonly number[]): number => {
	const ranked = [
		...known.map((time) => ({ time, isKnown: true })),
		...unknown.map((time) => ({ time, isKnown: false }))
	].sort((one, other) => one.time - other.time);
	let rankSum = 0;
	for (let from = 0; from < ranked.length;) {
		let to = from;
		while (to < ranked.length && ranked[to]?.time === ranked[from]?.time) to += 1;
		const rank = (from + 1 + to) / 2;
		for (let at = from; at < to; at += 1) if (ranked[at]?.isKnown) rankSum += rank;
		from = to;
	}
	const wins = rankSum - (known.length * (known.length + 1)) / 2;
	const area = wins / (known.length * unknown.length);
	return Math.max(area, 1 - area);
};
