import type { Results } from './results.ts';
import { ratiosOf, spreadOf } from './statistics.ts';
import { NAMES, type SubjectId } from './subjects.ts';

export interface Target {
	readonly text: string;
	/** Null if this run has not measured it. */
	readonly measured: number | null;
	readonly isMet: boolean;
}

/** The performance targets, with the results of this run. */
export const judge = (results: Results): readonly Target[] => [
	...[
		['guarded-bearer', 0.95],
		['guarded-cookie-cache', 0.95],
		['guarded-cookie', 0.8],
		['session-bearer', 0.8],
		['session-cookie', 0.8],
		['page', 0.7]
	].map(([id, least]) => rate(results, String(id), 'sqlite', 'floor', Number(least))),
	rate(results, 'guarded-bearer', 'postgres', 'floor', 0.8),
	...[
		['guarded-bearer', 6],
		['guarded-cookie-cache', 4.5],
		['session-bearer', 6],
		['session-cookie', 6],
		['page', 2],
		['send', 1.5],
		['sign-in-new', 1.8],
		['sign-in-known', 3]
	].map(([id, least]) => rate(results, String(id), 'sqlite', 'peer', Number(least))),
	atMost(
		'memory after the load',
		2 / 3,
		ratio(results.memory, ({ loaded }) => loaded)
	),
	atMost(
		'start to first answer',
		1.5,
		ratio(results.starts, (starts) => spreadOf(starts).median)
	)
];

/** The ratio of two subjects in a scenario. Null if one of them was not measured. */
export const ratioOf = (
	results: Results,
	scenario: string,
	one: SubjectId,
	other: SubjectId
): ReturnType<typeof ratiosOf> | null => {
	const rounds = results.scenarios.find(({ id }) => id === scenario)?.rounds;
	const [ones, others] = [rounds?.get(one), rounds?.get(other)].map((measured) =>
		measured?.map(({ requestsPerSecond }) => requestsPerSecond)
	);
	return ones && others ? ratiosOf(ones, others) : null;
};

const rate = (
	results: Results,
	scenario: string,
	one: SubjectId,
	other: SubjectId,
	least: number
): Target => {
	const measured = ratioOf(results, scenario, one, other)?.median ?? null;
	return {
		text: `${scenario}, ${NAMES[one]}: at least ${least} of ${NAMES[other]}`,
		measured,
		isMet: measured !== null && measured >= least
	};
};

const ratio = <T>(
	figures: ReadonlyMap<SubjectId, T> | null,
	numberOf: (figure: T) => number
): number | null => {
	const [ours, theirs] = [figures?.get('sqlite'), figures?.get('peer')];
	return ours === undefined || theirs === undefined ? null : numberOf(ours) / numberOf(theirs);
};

const atMost = (what: string, most: number, measured: number | null): Target => ({
	text: `${what}, ${NAMES.sqlite}: at most ${most.toFixed(2)} of ${NAMES.peer}`,
	measured,
	isMet: measured !== null && measured <= most
});
