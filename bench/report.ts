import { CLIENTS } from './addresses.ts';
import type { Results } from './results.ts';
import { CONNECTIONS, type Measured } from './load.ts';
import { spreadOf, type Spread } from './statistics.ts';
import { NAMES, type SubjectId } from './subjects.ts';
import { judge, ratioOf } from './targets.ts';

type Row = readonly string[];

const SUBJECTS: readonly SubjectId[] = ['floor', 'sqlite', 'postgres', 'peer'];

const WITH_BUDGET = [
	['sqlite-budget', 'sqlite'],
	['postgres-budget', 'postgres']
] as const;

/** The results as Markdown. */
export const report = (results: Results): string =>
	[
		'## Requests per second',
		table(
			['scenario', 'subject', 'requests/s', 'to the floor', 'to better-auth', 'server', 'load'],
			results.scenarios.flatMap((scenario) => rates(results, scenario))
		),
		HOW,
		...mailed(results),
		...budgeted(results),
		...figures(results),
		'## Targets',
		table(
			['target', 'measured', ''],
			judge(results).map(({ text, measured, isMet }) => [
				text,
				measured?.toFixed(2) ?? 'not measured',
				measured === null ? '' : isMet ? 'met' : '**not met**'
			])
		),
		'## Machine',
		results.machine.map((line) => `- ${line}`).join('\n')
	].join('\n\n');

const HOW = `Medians of the rounds, least and most in brackets; ratios are taken within a round. ${CONNECTIONS} connections, ${CLIENTS} client addresses by \`x-forwarded-for\`. The last columns are shares of one core; a server far below 100 % was not what limited the number. The floor answers its empty page beside the protected page, and its empty endpoint in every other scenario.`;

const rates = (results: Results, { id, title, rounds }: Results['scenarios'][number]): Row[] =>
	SUBJECTS.map((subject) => {
		const measured = rounds.get(subject);
		if (measured === undefined) return [title, NAMES[subject], 'has none', '', '', '', ''];
		const of = (pick: (one: Measured) => number): Spread => spreadOf(measured.map(pick));
		const ratio = (other: SubjectId): string => {
			const found = subject === other ? null : ratioOf(results, id, subject, other);
			return found === null ? '' : spread(found, 2);
		};
		return [
			title,
			NAMES[subject],
			spread(of(({ requestsPerSecond }) => requestsPerSecond)),
			ratio('floor'),
			subject === 'floor' ? '' : ratio('peer'),
			percent(of(({ serverShare }) => serverShare).median),
			percent(of(({ loadShare }) => loadShare).median)
		];
	});

/** Emails per second. A server may respond before it has sent the email. */
const mailed = ({ scenarios }: Results): readonly string[] =>
	scenarios
		.filter(({ id }) => id === 'send')
		.map(({ rounds }) => {
			const rows = SUBJECTS.flatMap((subject) => {
				const numbers = rounds.get(subject)?.flatMap(({ mailsPerSecond = [] }) => mailsPerSecond);
				return numbers?.length ? [[NAMES[subject], spread(spreadOf(numbers))]] : [];
			});
			return table(['send code, until the last mail has arrived', 'mails/s'], rows);
		});

/** Sends with `EMAIL_BUDGET`, compared with sends without it in the same rounds. */
const budgeted = (results: Results): readonly string[] => {
	const rounds = results.scenarios.find(({ id }) => id === 'send')?.rounds;
	if (rounds === undefined) return [];
	const rows = WITH_BUDGET.flatMap(([subject, without]) => {
		const rates = rounds.get(subject)?.map(({ requestsPerSecond }) => requestsPerSecond);
		const ratio = ratioOf(results, 'send', subject, without);
		return rates && ratio ? [[NAMES[without], spread(spreadOf(rates)), spread(ratio, 2)]] : [];
	});
	const heads = ['send code with `EMAIL_BUDGET`', 'requests/s', 'to the same without'];
	return [table(heads, rows)];
};

const figures = ({ starts, memory, memoryRequests, latency }: Results): readonly string[] => {
	if (starts === null || memory === null || latency === null) return [];
	const rows = SUBJECTS.map((id) => {
		const [start, held, slow] = [starts.get(id), memory.get(id), latency.get(id)];
		return [
			NAMES[id],
			spread(spreadOf(start ?? [])),
			held?.idle.toFixed(0) ?? '',
			held?.loaded.toFixed(0) ?? '',
			`${slow?.requestsPerSecond}`,
			slow?.p50.toFixed(2) ?? '',
			slow?.p99.toFixed(2) ?? ''
		];
	});
	const after = `after ${memoryRequests} requests, MB`;
	const heads = ['start to first answer, ms', 'resident idle, MB', after, 'at requests/s'];
	return [
		'## Start, memory, latency',
		table(['subject', ...heads, 'p50, ms', 'p99, ms'], rows),
		'Latencies are of the route guarded by bearer at half of its median rate above, sent evenly and counted from when each request was to be sent.'
	];
};

const spread = ({ median, min, max }: Spread, digits = 0): string =>
	`${median.toFixed(digits)} (${min.toFixed(digits)}–${max.toFixed(digits)})`;

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const table = (heads: Row, rows: readonly Row[]): string =>
	[heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
