import { execFileSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';
import { CLIENTS } from './accounts.ts';
import { CONNECTIONS } from './load.ts';
import { ratiosOf, spreadOf, type Spread } from './statistics.ts';
import { NAMES, type SubjectId } from './subjects.ts';

type PerSubject<T> = ReadonlyMap<SubjectId, T>;

/** The measurements of a run. */
export interface Results {
	/** The requests per second of each round, by subject. */
	readonly scenarios: readonly {
		readonly id: string;
		readonly title: string;
		readonly rates: PerSubject<readonly number[]>;
	}[];
	/** Milliseconds of each start, and megabytes before and after requests. Empty if not measured. */
	readonly starts: PerSubject<readonly number[]>;
	readonly memory: PerSubject<readonly [idle: number, loaded: number]>;
}

type Goal = readonly [scenario: string, least: number, of: SubjectId];

/** For Postern on SQLite: at least this multiple of the requests per second of another subject. */
const GOALS: readonly Goal[] = [
	['bearer', 0.95, 'floor'],
	['session', 0.8, 'floor'],
	['bearer', 6, 'peer'],
	['cookie', 3, 'peer'],
	['session', 6, 'peer'],
	['known', 3, 'peer'],
	['new', 1.8, 'peer'],
	['page', 1.2, 'peer']
];

/** The results as Markdown. */
export const report = (results: Results): string =>
	[
		table(
			['scenario', 'subject', 'requests/s', 'to the floor', 'to better-auth'],
			results.scenarios.flatMap(({ id, title, rates }) =>
				[...rates].map(([subject, numbers]) => [
					title,
					NAMES[subject],
					written(spreadOf(numbers)),
					ratio(results, id, subject, 'floor'),
					ratio(results, id, subject, 'peer')
				])
			)
		),
		`Medians of the rounds, least and most in brackets; ratios are taken within a round. ${CONNECTIONS} connections, ${CLIENTS} client addresses. The floor answers its empty page beside the protected page, and its empty endpoint otherwise.`,
		...processes(results),
		table(
			['goal of Postern, SQLite', 'measured', ''],
			GOALS.flatMap(([id, least, other]) => {
				const found = ratios(results, id, 'sqlite', other);
				if (found === null) return [];
				const isMet = found.median >= least ? 'met' : '**not met**';
				return [[`${id}: ${least} × ${NAMES[other]}`, found.median.toFixed(2), isMet]];
			})
		),
		machine().join('\n')
	].join('\n\n');

const processes = ({ starts, memory }: Results): readonly string[] =>
	memory.size === 0
		? []
		: [
				table(
					['subject', 'start to first answer, ms', 'resident idle, MB', 'after requests, MB'],
					[...memory].map(([subject, [idle, loaded]]) => [
						NAMES[subject],
						written(spreadOf(starts.get(subject) ?? [])),
						idle.toFixed(0),
						loaded.toFixed(0)
					])
				)
			];

const ratios = (
	{ scenarios }: Results,
	id: string,
	one: SubjectId,
	other: SubjectId
): Spread | null => {
	const rates = scenarios.find((scenario) => scenario.id === id)?.rates;
	const [ones, others] = [rates?.get(one), rates?.get(other)];
	return ones && others ? ratiosOf(ones, others) : null;
};

const ratio = (results: Results, id: string, one: SubjectId, other: SubjectId): string => {
	const found = one === other ? null : ratios(results, id, one, other);
	return found === null ? '' : written(found, 2);
};

const written = ({ median, min, max }: Spread, digits = 0): string =>
	`${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
	[heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

/** What the numbers depend on. */
const machine = (): readonly string[] => [
	`- CPU: ${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores, ${(totalmem() / 1024 ** 3).toFixed(1)} GiB`,
	`- Node ${process.versions.node}, ${process.platform} ${release()}`,
	`- ${new Date().toISOString()}, commit ${execFileSync('git', ['describe', '--always', '--dirty'], { encoding: 'utf8' }).trim()}`
];
