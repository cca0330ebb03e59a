import autocannon from 'autocannon';
import { readFileSync } from 'node:fs';

export interface LoadRequest {
	readonly method: 'GET' | 'POST';
	readonly path: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly body?: string;
}

export interface Load {
	readonly server: { readonly name: string; readonly url: string; readonly pid: number };
	/** Distributed over the connections. Each connection sends its own in order. */
	readonly requests: readonly LoadRequest[];
	/**
	 * How long to send, starting again at the first request after the last one, or how many to send
	 * in total.
	 */
	readonly until: { readonly seconds: number } | { readonly answers: number };
}

interface Measured {
	readonly requestsPerSecond: number;
	/** The share of one core that the server used: 1 is a whole core. */
	readonly serverShare: number;
}

export const CONNECTIONS = 32;

/** How often the tool checks whether the run has ended, in milliseconds. */
const CHECK_EVERY = 25;

/**
 * Sends each request as soon as the one before has its response. The load runs in this process:
 * with two cores, the server uses one and the load the other. One more process would slow both.
 *
 * @throws unless every response is 200
 */
export const runLoad = async ({ server, requests, until }: Load): Promise<Measured> => {
	const connections = Math.min(CONNECTIONS, requests.length);
	let connection = 0;
	let [begun, last, before] = [0, 0, 0];
	const result = await new Promise<autocannon.Result>((resolve, reject) => {
		const run = autocannon(
			{
				url: server.url,
				connections,
				timeout: 30,
				sampleInt: CHECK_EVERY,
				...('seconds' in until ? { duration: until.seconds } : { amount: until.answers }),
				setupClient: (client) => {
					const own = requests.filter((_, number) => number % connections === connection);
					// Copied, because the tool stores its own data in each request.
					client.setRequests(own.map((one) => ({ ...one, headers: { ...one.headers } })));
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
	const { '200': right, ...wrong } = result.statusCodeStats ?? {};
	if (right?.count === undefined || Object.keys(wrong).length > 0 || result.errors > 0) {
		const seen = JSON.stringify(result.statusCodeStats);
		throw new Error(`${server.name} had to answer 200: ${seen}, ${result.errors} errors`);
	}
	return {
		requestsPerSecond: right.count / elapsed,
		serverShare: (cpuSeconds(server.pid) - before) / elapsed
	};
};

const TICKS_PER_SECOND = 100;

/** The processor time of a process so far, all threads, in seconds. */
const cpuSeconds = (pid: number): number => {
	// The name in parentheses can contain spaces, so the fields are counted after it.
	const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
		.replace(/^.*\) /s, '')
		.split(' ');
	return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
};
