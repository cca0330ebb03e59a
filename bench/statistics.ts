export interface Spread {
	readonly median: number;
	readonly min: number;
	readonly max: number;
}

/** The spread of at least one number. */
export const spreadOf = (numbers: readonly number[]): Spread => {
	const sorted = numbers.toSorted((a, b) => a - b);
	return {
		median: (at(sorted, (sorted.length - 1) >> 1) + at(sorted, sorted.length >> 1)) / 2,
		min: at(sorted, 0),
		max: at(sorted, sorted.length - 1)
	};
};

/** The spread of the ratios within each round, when the machine was equally fast for both. */
export const ratiosOf = (ones: readonly number[], others: readonly number[]): Spread =>
	spreadOf(ones.map((one, round) => one / at(others, round)));

/** The smallest number that this share of all does not exceed, as in p99 for 0.99. */
export const percentile = (numbers: readonly number[], share: number): number => {
	const sorted = numbers.toSorted((a, b) => a - b);
	return at(sorted, Math.max(0, Math.ceil(sorted.length * share) - 1));
};

const at = (numbers: readonly number[], index: number): number => {
	const found = numbers[index];
	if (found === undefined) throw new Error('nothing was measured');
	return found;
};
