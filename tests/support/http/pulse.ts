import { setTimeout as pause } from 'node:timers/promises';
import { call, type Call } from './client.ts';
import type { BuiltServer } from '../process/built-server.ts';

/** Between two rounds, in milliseconds. */
const EVERY = 20;

/** Sends all of these requests, repeatedly, until `work` is done. Returns their statuses too. */
export const whileAsking = async <T>(
	server: BuiltServer,
	requests: readonly (readonly [path: string, options?: Call])[],
	work: () => Promise<T>
): Promise<readonly [T, readonly number[]]> => {
	const statuses: number[] = [];
	let done = false;
	const clients = requests.map(async ([path, options]) => {
		while (!done) {
			statuses.push((await call(server, path, options)).status);
			await pause(EVERY);
		}
	});
	try {
		const result = await work();
		done = true;
		await Promise.all(clients);
		return [result, statuses];
	} finally {
		done = true;
		await Promise.allSettled(clients);
	}
};
