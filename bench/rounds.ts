import type { SmtpSink } from '../tests/support/mail/smtp-sink.ts';
import { runLoad, type LoadRequest, type Measured } from './load.ts';
import { arrived, emptied } from './mailbox.ts';
import type { Scenario } from './scenario.ts';
import { NAMES, type Subject, type SubjectId, type Subjects } from './subjects.ts';

export interface RoundOptions {
	readonly rounds: number;
	/** The time for each subject in each round. */
	readonly seconds: number;
	readonly say: (line: string) => void;
}

/** The measurements of each round, by subject. */
export type Rounds = ReadonlyMap<SubjectId, readonly Measured[]>;

/** In seconds. Long enough for V8 to compile the code of the scenario. */
const WARM_UP = 1;
/** Below this share of a core, something other than the server was the bottleneck. */
const BUSY = 0.9;

/** Measures all subjects in turn in each round, so that a slow machine affects all of them. */
export const runRounds = async (
	scenario: Scenario,
	{ all, budgeted, sink }: Subjects,
	{ rounds, seconds, say }: RoundOptions
): Promise<Rounds> => {
	const subjects = [...all, ...budgeted].filter(
		({ id }) => id === 'floor' || scenario.subjects.includes(id)
	);
	const measured = new Map<SubjectId, Measured[]>(subjects.map(({ id }) => [id, []]));
	for (const subject of subjects) {
		await warmUp(scenario, subject, sink);
	}
	for (let round = 1; round <= rounds; round += 1) {
		for (const subject of subjects) {
			const requests = await scenario.requests(subject, sink);
			const one = await once(scenario, subject, sink, requests, seconds);
			measured.get(subject.id)?.push(one);
			say(`${scenario.title}, round ${round}: ${describe(subject, one)}`);
		}
	}
	return measured;
};

/** Checks the body of one response, because a status alone proves little. Then warms up. */
const warmUp = async (scenario: Scenario, subject: Subject, sink: SmtpSink): Promise<void> => {
	const [first, ...others] = await scenario.requests(subject, sink);
	if (first === undefined) throw new Error(`${scenario.title} has no requests`);
	const { status, body } = await send(subject, first);
	const isFloor = subject.id === 'floor';
	const isRight = isFloor ? body.includes(scenario.onFloor.marker) : scenario.isRight(body);
	if (status !== statusOf(scenario, subject) || !isRight) {
		throw new Error(`${scenario.title} at ${NAMES[subject.id]}: ${status} ${body.slice(0, 500)}`);
	}
	await once(scenario, subject, sink, others, WARM_UP);
};

const once = async (
	scenario: Scenario,
	subject: Subject,
	sink: SmtpSink,
	requests: readonly LoadRequest[],
	seconds: number
): Promise<Measured> => {
	const isFloor = subject.id === 'floor';
	const { begun, ...measured } = await runLoad({
		server: subject.server,
		requests,
		status: statusOf(scenario, subject),
		until: scenario.counted && !isFloor ? { answers: requests.length } : { seconds }
	});
	if (isFloor || scenario.mails === 'none') return measured;
	const all = scenario.mails === 'awaited' ? await arrived(sink, measured.answers) : null;
	await emptied(sink);
	if (all === null) return measured;
	return { ...measured, mailsPerSecond: measured.answers / ((all - begun) / 1000) };
};

const statusOf = (scenario: Scenario, { id }: Subject): number =>
	id === 'floor' ? 200 : scenario.status;

const send = async (
	{ server }: Subject,
	{ method, path, headers, body }: LoadRequest
): Promise<{ status: number; body: string }> => {
	const answer = await fetch(server.url + path, {
		method,
		headers,
		redirect: 'manual',
		...(body !== undefined && { body })
	});
	return { status: answer.status, body: await answer.text() };
};

const describe = ({ id }: Subject, measured: Measured): string => {
	const { requestsPerSecond, answers, serverShare, loadShare } = measured;
	const percent = (share: number): string => `${Math.round(share * 100)} %`;
	const warning = serverShare < BUSY ? '; warning: the server was not busy' : '';
	return (
		`${NAMES[id]} ${Math.round(requestsPerSecond)}/s, ${answers} answers, ` +
		`server ${percent(serverShare)} of a core, load ${percent(loadShare)}${warning}`
	);
};
