import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureLatency, measureMemory, measureStarts } from './figures.ts';
import { describeMachine } from './machine.ts';
import { ensurePackages } from './packages.ts';
import { report } from './report.ts';
import type { Results } from './results.ts';
import { runRounds, type Rounds } from './rounds.ts';
import { guardedByBearer, SCENARIOS } from './scenarios.ts';
import { startSubjects } from './subjects.ts';
import { judge } from './targets.ts';

const say = (line: string): void => console.error(`[bench] ${line}`);

/**
 * Measures the product beside the floor and the peer, and prints tables.
 *
 * @throws when anything fails, such as a wrong response
 */
export const compare = async (args: string[]): Promise<void> => {
	const { values } = parseArgs({
		args,
		options: {
			rounds: { type: 'string', default: '5' },
			seconds: { type: 'string', default: '2' },
			only: { type: 'string', multiple: true, default: [] },
			'memory-requests': { type: 'string', default: '200000' },
			json: { type: 'string' }
		}
	});
	const chosen = chosenOf(values.only);
	const options = {
		rounds: numberOf('rounds', values.rounds),
		seconds: numberOf('seconds', values.seconds),
		say
	};
	const memoryRequests = numberOf('memory-requests', values['memory-requests']);
	ensurePackages(say);
	const subjects = await startSubjects();
	try {
		const scenarios: { id: string; title: string; rounds: Rounds }[] = [];
		for (const scenario of chosen) {
			const rounds = await runRounds(scenario, subjects, options);
			scenarios.push({ id: scenario.id, title: scenario.title, rounds });
		}
		const all = values.only.length === 0;
		const peaks = scenarios.find(({ id }) => id === guardedByBearer.id)?.rounds;
		const results: Results = {
			scenarios,
			latency: all && peaks ? await measureLatency(subjects, peaks, say) : null,
			starts: all ? await measureStarts(subjects, say) : null,
			memory: all ? await measureMemory(subjects, memoryRequests, say) : null,
			memoryRequests,
			machine: describeMachine()
		};
		console.log(report(results));
		if (values.json !== undefined) writeFileSync(values.json, raw(results));
	} finally {
		await subjects.stop();
	}
};

const chosenOf = (ids: readonly string[]): typeof SCENARIOS => {
	const known = SCENARIOS.map(({ id }) => id);
	const unknown = ids.find((id) => !known.includes(id));
	if (unknown !== undefined) {
		throw new Error(
			`--only ${unknown}: there is no such scenario. Take one of ${known.join(', ')}`
		);
	}
	return ids.length === 0 ? SCENARIOS : SCENARIOS.filter(({ id }) => ids.includes(id));
};

const numberOf = (name: string, text: string): number => {
	const number = Number(text);
	if (number > 0 && Number.isFinite(number)) return number;
	throw new Error(`--${name} ${text}: write a number above 0`);
};

const raw = (results: Results): string =>
	JSON.stringify({ ...results, targets: judge(results) }, mapsAsObjects, '\t');

const mapsAsObjects = (_: string, value: unknown): unknown =>
	value instanceof Map ? Object.fromEntries(value) : value;
