import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { CONNECTIONS, type LoadRequest } from './load.ts';
import { percentile } from './statistics.ts';
import type { Subject } from './subjects.ts';

export interface Latency {
	readonly requestsPerSecond: number;
	/** In milliseconds, from the time when a request was due. */
	readonly p50: number;
	readonly p99: number;
}

/** The interval between sends, in milliseconds. */
const BEAT = 1;

/**
 * Sends requests at an even rate, however slow the responses are. A late response delays the ones
 * behind it, and their latency includes that delay. autocannon cannot do this, because it sends all
 * requests of a second at its beginning. Half of the peak rate would then be the peak rate for half of
 * the time.
 */
export const latencyAt = async (
	{ server }: Subject,
	requests: readonly LoadRequest[],
	rate: number,
	seconds: number
): Promise<Latency> => {
	const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
	const { hostname, port } = new URL(server.url);
	const milliseconds: number[] = [];
	const failures: string[] = [];
	const send = (one: LoadRequest, intended: number): Promise<void> =>
		new Promise((resolve) => {
			const fail = (reason: string): void => {
				failures.push(reason);
				resolve();
			};
			const { method, path, headers } = one;
			request({ agent, hostname, port, method, path, headers }, (answer) => {
				answer.resume().once('end', () => {
					if (answer.statusCode !== 200) return fail(`answered ${answer.statusCode}`);
					milliseconds.push(performance.now() - intended);
					resolve();
				});
			})
				.once('error', ({ message }) => fail(message))
				.end();
		});

	const total = Math.floor(rate * seconds);
	const begun = performance.now();
	const underWay: Promise<void>[] = [];
	while (underWay.length < total) {
		const due = Math.min(total, Math.ceil(((performance.now() - begun) / 1000) * rate));
		while (underWay.length < due) {
			const number = underWay.length;
			const one = requests[number % requests.length];
			if (one === undefined) throw new Error('there is nothing to send');
			underWay.push(send(one, begun + (number / rate) * 1000));
		}
		await pause(BEAT);
	}
	await Promise.all(underWay);
	agent.destroy();
	if (failures[0] !== undefined) throw new Error(`${server.name}: ${failures[0]}`);
	return {
		requestsPerSecond: rate,
		p50: percentile(milliseconds, 0.5),
		p99: percentile(milliseconds, 0.99)
	};
};
