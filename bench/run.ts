import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { memoryOf } from '../tests/support/process/server-process.ts';
import { emptied } from './accounts.ts';
import { runLoad, type LoadRequest } from './load.ts';
import { report, type Results } from './report.ts';
import { onFloor, READING, SCENARIOS, type Scenario } from './scenarios.ts';
import { NAMES, startSubjects, type Subject, type SubjectId, type Subjects } from './subjects.ts';

// `npm run bench`: measures the product beside the floor and the peer, and prints tables. Throws when
// anything fails, such as a wrong response.

/** In seconds. Long enough for V8 to compile the code of the scenario. */
const WARM_UP = 1;
/** Below this share of a core, something other than the server was the bottleneck. */
const BUSY = 0.9;
const STARTS = 5;
/** Requests before memory is measured again. */
const MEMORY_REQUESTS = 100_000;
/** In milliseconds. Deferred work after a start or a load is finished after this time. */
const REST = 2000;

const say = (line: string): void => console.error(`[bench] ${line}`);

/** Measures all subjects in turn in each round, so that a slow machine affects all of them. */
const runRounds = async (
	scenario: Scenario,
	{ all, sink }: Subjects,
	rounds: number,
	seconds: number
): Promise<ReadonlyMap<SubjectId, readonly number[]>> => {
	const requestsFor = (subject: Subject): Promise<readonly LoadRequest[]> =>
		subject.id === 'floor'
			? Promise.resolve(onFloor(scenario.floorPath))
			: scenario.requests(subject, sink);
	const once = async ({ id, server }: Subject, requests: readonly LoadRequest[], most: number) => {
		const isCounted = scenario.counted && id !== 'floor';
		const until = isCounted ? { answers: requests.length } : { seconds: most };
		const measured = await runLoad({ server, requests, until });
		if (scenario.sendsMails) await emptied(sink);
		return measured;
	};
	const rates = new Map<SubjectId, number[]>(all.map(({ id }) => [id, []]));
	for (const subject of all) {
		const [first, ...others] = await requestsFor(subject);
		await checkBody(scenario, subject, first);
		await once(subject, others, WARM_UP);
	}
	for (let round = 1; round <= rounds; round += 1) {
		for (const subject of all) {
			const requests = await requestsFor(subject);
			const { requestsPerSecond, serverShare } = await once(subject, requests, seconds);
			rates.get(subject.id)?.push(requestsPerSecond);
			const load = `${Math.round(requestsPerSecond)}/s, ${Math.round(serverShare * 100)} % of a core`;
			const warning = serverShare < BUSY ? '; warning: the server was not busy' : '';
			say(`${scenario.title}, round ${round}: ${NAMES[subject.id]} ${load}${warning}`);
		}
	}
	return rates;
};

/** A status alone proves little. */
const checkBody = async (
	{ title, isRight }: Scenario,
	{ id, server }: Subject,
	request: LoadRequest | undefined
): Promise<void> => {
	if (request === undefined) throw new Error(`${title} has no requests`);
	const answer = await fetch(server.url + request.path, { ...request, redirect: 'manual' });
	const body = await answer.text();
	if (answer.status !== 200 || (id !== 'floor' && !isRight(body))) {
		throw new Error(`${title} at ${NAMES[id]}: ${answer.status} ${body.slice(0, 500)}`);
	}
};

/** Each start and the memory of a new process, and of the same process after many requests. */
const measureProcesses = async ({ all, sink }: Subjects): Promise<Omit<Results, 'scenarios'>> => {
	const starts = new Map<SubjectId, number[]>();
	const memory = new Map<SubjectId, readonly [number, number]>();
	for (const subject of all) {
		const { id, server } = subject;
		const took: number[] = [];
		while (took.length < STARTS) took.push(await server.restart());
		starts.set(id, took);
		await pause(REST);
		const idle = memoryOf(server.pid);
		const requests: LoadRequest[] = [];
		for (const scenario of READING) {
			const own = id === 'floor' ? onFloor('/empty') : await scenario.requests(subject, sink);
			requests.push(...own);
		}
		await runLoad({ server, requests, until: { answers: MEMORY_REQUESTS } });
		await pause(REST);
		memory.set(id, [idle, memoryOf(server.pid)]);
		say(`${NAMES[id]} started in ${Math.round(took.at(-1) ?? 0)} ms`);
	}
	return { starts, memory };
};

const { values } = parseArgs({
	options: {
		rounds: { type: 'string', default: '5' },
		seconds: { type: 'string', default: '2' },
		only: { type: 'string', multiple: true, default: [] }
	}
});
const { only } = values;
const ids = SCENARIOS.map(({ id }) => id);
const unknown = only.filter((id) => !ids.includes(id));
if (unknown.length > 0) {
	console.error(`No scenario ${unknown.join(', ')}: choose from ${ids.join(', ')}.`);
	process.exit(2);
}
const chosen = SCENARIOS.filter(({ id }) => only.length === 0 || only.includes(id));

// Exits, so that the servers it started are stopped too.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const subjects = await startSubjects(say);
try {
	const scenarios = [];
	for (const scenario of chosen) {
		const rates = await runRounds(
			scenario,
			subjects,
			Number(values.rounds),
			Number(values.seconds)
		);
		scenarios.push({ ...scenario, rates });
	}
	const processes =
		only.length === 0 ? await measureProcesses(subjects) : { starts: new Map(), memory: new Map() };
	console.log(report({ scenarios, ...processes }));
} finally {
	await subjects.stop();
}
