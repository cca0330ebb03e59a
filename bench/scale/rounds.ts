import { ratiosOf, spreadOf, type Spread } from '../statistics.ts';
import type { Pair, Sized } from './pair.ts';

/** Measures one round and returns the microseconds that one operation took on average. */
export type Round = () => Promise<number>;

export interface Comparison {
	readonly what: string;
	readonly engine: string;
	/** Microseconds per operation, one number per round. */
	readonly small: readonly number[];
	readonly large: readonly number[];
}

/** The highest allowed ratio of times on the large database to times on the small one. */
const ALLOWED = 1.1;

/** Opens both databases of a pair in the same way, measures them in turn, and closes them. */
export const compare = async (
	what: string,
	pair: Pair,
	rounds: number,
	open: (sized: Sized) => Promise<{ readonly round: Round; close(): Promise<unknown> }>
): Promise<Comparison> => {
	const [small, large] = [await open(pair.small), await open(pair.large)];
	try {
		// Warms up caches and compiled code.
		for (const { round } of [small, large, small, large]) await round();
		const times = { small: [] as number[], large: [] as number[] };
		for (let done = 0; done < rounds; done += 1) {
			// The order alternates, so that a drift of the machine favours neither.
			const turn = done % 2 === 0 ? (['small', 'large'] as const) : (['large', 'small'] as const);
			for (const side of turn) times[side].push(await (side === 'small' ? small : large).round());
		}
		return { what, engine: pair.engine, ...times };
	} finally {
		await small.close();
		await large.close();
	}
};

/** The heading of the table. `describe` writes its lines. */
export const heading = ({ small, large }: Pair): readonly string[] => [
	`| What | Database | ${small.rows} rows: µs (spread) | ${large.rows} rows: µs (spread) | Ratio (spread) | Within 10 % |`,
	'| --- | --- | --- | --- | --- | --- |'
];

/** One line: medians with the range of all rounds, and the ratio within each round. */
export const describe = ({ what, engine, small, large }: Comparison): string => {
	const ratio = ratiosOf(large, small);
	const met = ratio.median <= ALLOWED ? 'yes' : 'no';
	const times = [spreadOf(small), spreadOf(large)].map((spread) => inWords(spread, 1));
	return `| ${[what, engine, ...times, inWords(ratio, 3), met].join(' | ')} |`;
};

const inWords = ({ median, min, max }: Spread, digits: number): string =>
	`${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;
