import type { RecordableHistogram } from 'node:perf_hooks';
import type { Outcome } from './open-loop.ts';
import { slope, type Life } from './watch.ts';

const table = (
	heads: readonly string[],
	rows: readonly (readonly (string | number)[])[]
): readonly string[] => [
	`| ${heads.join(' | ')} |`,
	`| ${heads.map(() => '---').join(' | ')} |`,
	...rows.map((cells) => `| ${cells.join(' | ')} |`),
	''
];

const milliseconds = (of: RecordableHistogram, percentile: number): string =>
	`${((percentile === 100 ? of.max : of.percentile(percentile)) / 1000).toFixed(1)} ms`;

const PERCENTILES = [50, 90, 99, 99.9, 100];

/** Response times by kind and in total, and how late requests were sent. */
export const latencies = <Kind extends string>(
	{ times, late }: Outcome<Kind>,
	all: RecordableHistogram
): readonly string[] => {
	const rows = [...times, ['all', all] as const, ['sent late by', late] as const];
	for (const one of times.values()) all.add(one);
	return table(
		['Request', 'Answers', 'p50', 'p90', 'p99', 'p99.9', 'Slowest'],
		rows.map(([name, of]) => [
			name,
			of.count,
			...PERCENTILES.map((percentile) => milliseconds(of, percentile))
		])
	);
};

/** Memory and open files of each process at start and end, and their growth in the second half. */
export const growth = (lives: readonly Life[]): readonly string[] =>
	table(
		['Process', 'Minutes', 'Memory', 'Most', 'Grows by', 'Files', 'Most', 'Grow by'],
		lives.map((life) => {
			const { name, samples } = life;
			const [first, last] = [samples[0], samples.at(-1)];
			const most = (of: 'memory' | 'files'): number =>
				Math.max(...samples.map((sample) => sample[of]));
			return [
				name,
				((last?.at ?? NaN) - (first?.at ?? NaN)).toFixed(1),
				`${first?.memory.toFixed(0)} → ${last?.memory.toFixed(0)} MB`,
				`${most('memory').toFixed(0)} MB`,
				`${slope(life, 'memory').toFixed(2)} MB/min`,
				`${first?.files} → ${last?.files}`,
				most('files'),
				`${slope(life, 'files').toFixed(1)}/min`
			];
		})
	);
