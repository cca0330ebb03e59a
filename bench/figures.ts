import { setTimeout as pause } from 'node:timers/promises';
import { memoryOf } from '../tests/support/process/server-process.ts';
import { runLoad } from './load.ts';
import { latencyAt, type Latency } from './open-loop.ts';
import type { Rounds } from './rounds.ts';
import { guardedByBearer, mixed } from './scenarios.ts';
import { spreadOf } from './statistics.ts';
import { NAMES, type SubjectId, type Subjects } from './subjects.ts';

/** Resident memory, in megabytes. */
export interface Memory {
	readonly idle: number;
	readonly loaded: number;
}

export type PerSubject<T> = ReadonlyMap<SubjectId, T>;

type Say = (line: string) => void;

const STARTS = 5;
/** In milliseconds. Deferred work after a start or a load is finished after this time. */
const REST = 2000;
const LATENCY_SECONDS = 5;

/** Milliseconds from the start of the process to its first response, on an existing database. */
export const measureStarts = async (
	{ all }: Subjects,
	say: Say
): Promise<PerSubject<readonly number[]>> => {
	const starts = new Map<SubjectId, number[]>(all.map(({ id }) => [id, []]));
	for (let round = 0; round < STARTS; round += 1) {
		for (const { id, server } of all) {
			await server.restart();
			starts.get(id)?.push(server.startedIn);
			say(`${NAMES[id]} started in ${Math.round(server.startedIn)} ms`);
		}
	}
	return starts;
};

/** The memory of a new process, and of the same process after `answers` requests. */
export const measureMemory = async (
	{ all }: Subjects,
	answers: number,
	say: Say
): Promise<PerSubject<Memory>> => {
	const memory = new Map<SubjectId, Memory>();
	for (const subject of all) {
		const { id, server } = subject;
		await server.restart();
		await pause(REST);
		const idle = memoryOf(server.pid);
		const requests = await mixed(subject);
		await runLoad({ server, requests, status: 200, until: { answers } });
		await pause(REST);
		const loaded = memoryOf(server.pid);
		memory.set(id, { idle, loaded });
		say(`${NAMES[id]} held ${Math.round(idle)} MB, after the load ${Math.round(loaded)} MB`);
	}
	return memory;
};

/** The latency of the route guarded by bearer, at half of the median rate in `peaks`. */
export const measureLatency = async (
	{ all, sink }: Subjects,
	peaks: Rounds,
	say: Say
): Promise<PerSubject<Latency>> => {
	const latencies = new Map<SubjectId, Latency>();
	for (const subject of all) {
		const rates = peaks.get(subject.id)?.map(({ requestsPerSecond }) => requestsPerSecond) ?? [];
		const rate = Math.round(spreadOf(rates).median / 2);
		const requests = await guardedByBearer.requests(subject, sink);
		await latencyAt(subject, requests, rate, 1);
		const latency = await latencyAt(subject, requests, rate, LATENCY_SECONDS);
		latencies.set(subject.id, latency);
		say(`${NAMES[subject.id]} at ${rate}/s: p50 ${latency.p50} ms, p99 ${latency.p99} ms`);
	}
	return latencies;
};
