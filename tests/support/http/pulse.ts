import { setTimeout as pause } from 'node:timers/promises';
import { call, type Call } from './client.ts';
import type { BuiltServer } from '../process/built-server.ts';

/** The results of a client that repeats the same requests while something else runs. */
export interface Pulse {
	readonly statuses: readonly number[];
	/** In milliseconds. */
	readonly slowest: number;
}

/** Between two rounds, in milliseconds. */
const EVERY = 20;

/** Sends all of these requests, repeatedly, until `work` is done. */
export const whileAsking = async <T>(
	server: BuiltServer,
	requests: readonly (readonly [path: string, options?: Call])[],
	work: () => Promise<T>
): Promise<readonly [T, Pulse]> => {
	const statuses: number[] = [];
	let slowest = 0;
	let done = false;
	const clients = requests.map(async ([path, options]) => {
		while (!done) {
			const began = performance.now();
			const { status } = await call(server, path, options);
			statuses.push(status);
			slowest = Math.max(slowest, performance.now() - began);
			await pause(EVERY);
		}
	});
	try {
		const result = await work();
		done = true;
		await Promise.all(clients);
		return [result, { statuses, slowest }];
	} finally {
		done = true;
		await Promise.allSettled(clients);
	}
};
