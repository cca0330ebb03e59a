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
	/** Distributed over the connections. Each connection sends its own in order. */
	readonly requests: readonly LoadRequest[];
	/** The status that every response must have. */
	readonly status: number;
	/**
	 * How long to send, starting again at the first request after the last one, or how many to send
	 * in total.
	 */
	readonly until: { readonly seconds: number } | { readonly answers: number };
}

export interface Measured {
	readonly requestsPerSecond: number;
	readonly answers: number;
	/** The share of one core: 1 is a whole core. */
	readonly serverShare: number;
	readonly loadShare: number;
	/**
	 * Only if emails were sent: measured until the last one arrived, which may be long after its
	 * response.
	 */
	readonly mailsPerSecond?: number;
}

/** With the time of the start, by the clock of `performance`. */
export interface Loaded extends Measured {
	readonly begun: number;
}

export const CONNECTIONS = 32;

/** How often the tool checks whether the run has ended, in milliseconds. */
const LOOK_EVERY = 25;

/**
 * Sends each request as soon as the one before has its response. The load runs in this process:
 * with two cores, the server uses one and the load the other. One more process would slow both.
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
		// Starts here, because the tool first builds the text of all requests.
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
		// Copied, because the tool stores its own data in each request.
		.map((request) => ({ ...request, headers: { ...request.headers } }));

/**
 * The number of responses.
 *
 * @throws unless all of them had this status
 */
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

/** The processor time so far of the server and of this process, all threads, in seconds. */
const cpuSeconds = (pid: number): { server: number; load: number } => {
	const { user, system } = process.cpuUsage();
	// The name in parentheses can contain spaces, so the fields are counted after it.
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return {
		server: (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND,
		load: (user + system) / 1_000_000
	};
};
