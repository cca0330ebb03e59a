import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';

export interface LoadRequest {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

export interface LoadOptions {
	readonly server: { readonly name: string; readonly url: string; readonly pid: number };
	/** Dealt to the connections, each of which sends its own in turn. */
	readonly requests: readonly LoadRequest[];
	/** What every answer must have. */
	readonly status: number;
	/** How long to go on, from the first request again where they run out; or how many to send in all. */
	readonly until: { readonly seconds: number } | { readonly answers: number };
}

export interface Measured {
	readonly requestsPerSecond: number;
	readonly answers: number;
	/** Of one core, 1 is all of it. */
	readonly serverShare: number;
	readonly loadShare: number;
	/** Where mails were sent: up to the arrival of the last one, which may be long after its answer. */
	readonly mailsPerSecond?: number;
}

/** With when it was begun, by the clock of `performance`. */
export interface Loaded extends Measured {
	readonly begun: number;
}

export const CONNECTIONS = 32;

/** How often the tool looks whether it is over, in milliseconds. */
const LOOK_EVERY = 25;

/**
 * Sends as fast as the answers come, from this process: with two cores the server has one and the
 * load the other, and a process more would take from both.
 */
export const runLoad = async (options: LoadOptions): Promise<Loaded> => {
	const { server, requests, status, until } = options;
	const connections = Math.min(CONNECTIONS, requests.length);
	let connection = 0;
	let begun = 0;
	let last = 0;
	let before = { server: 0, load: 0 };
	const result = await new Promise<autocannon.Result>((resolve, reject) => {
		const run = autocannon(
			{
				url: server.url,
				connections,
				timeout: 30,
				sampleInt: LOOK_EVERY,
				...('seconds' in until ? { duration: until.seconds } : { amount: until.answers }),
				setupClient: (client) => {
					client.setRequests(dealt(requests, connection, connections));
					connection += 1;
				}
			},
			(error: Error | null, done) => (error ? reject(error) : resolve(done))
		);
		// What the tool does before, such as making the text of all requests, is not the server's time.
		run.on('start', () => {
			before = cpuSeconds(server.pid);
			begun = performance.now();
		});
		run.on('response', () => {
			last = performance.now();
		});
	});
	const elapsed = (last - begun) / 1000;
	const after = cpuSeconds(server.pid);
	const answers = onlyWith(status, result, server.name);
	return {
		begun,
		requestsPerSecond: answers / elapsed,
		answers,
		serverShare: (after.server - before.server) / elapsed,
		loadShare: (after.load - before.load) / elapsed
	};
};

const dealt = (
	requests: readonly LoadRequest[],
	connection: number,
	connections: number
): autocannon.Request[] =>
	requests
		.filter((_, number) => number % connections === connection)
		// The tool keeps what it makes of a request in it.
		.map((request) => ({ ...request, headers: { ...request.headers } }));

/** How many answers there were; throws unless all had this status. */
const onlyWith = (status: number, result: autocannon.Result, name: string): number => {
	const { statusCodeStats, errors, timeouts } = result;
	const seen = Object.entries(statusCodeStats ?? {}).map(
		([code, { count = 0 }]) => [Number(code), count] as const
	);
	const wrong = seen.filter(([code]) => code !== status);
	if (wrong.length > 0 || errors > 0 || seen.length === 0) {
		const codes = seen.map(([code, count]) => `${count} of ${code}`).join(', ') || 'no answers';
		throw new Error(
			`${name} had to answer ${status}; there were ${codes}, ${errors} errors, ${timeouts} of them timeouts`
		);
	}
	return seen.reduce((sum, [, count]) => sum + count, 0);
};

const TICKS_PER_SECOND = 100;

/** What a process has used of the processors so far, all its threads together, in seconds. */
const cpuSeconds = (pid: number): { server: number; load: number } => {
	const { user, system } = process.cpuUsage();
	// The name in parentheses may hold anything; the counted fields come after it.
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return {
		server: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
		load: (user + system) / 1_000_000
	};
};
