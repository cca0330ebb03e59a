import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { programFile } from '../../bin/fresh-build.ts';
import { TEST_SECRET, type BuiltServer } from '../../tests/support/process/built-server.ts';
import type { Database } from '../../tests/support/http/database.ts';
import type { Traffic } from './prune-traffic.ts';

export interface Run {
	/** The output of the tasks. */
	readonly output: string;
	/** In milliseconds. */
	readonly took: number;
}

/** Runs both tasks in processes of their own beside the server, as an operator does. */
export const byHand = async ({ databaseUrl, address }: BuiltServer): Promise<Run> => {
	const began = performance.now();
	let output = '';
	for (const task of ['auth:prune-throttle', 'account:purge']) {
		const { stdout } = await promisify(execFile)(process.execPath, [programFile('task'), task], {
			env: { AUTH_SECRET: TEST_SECRET, AUTH_URL: address, DATABASE_URL: databaseUrl }
		});
		output += stdout;
	}
	return { output, took: performance.now() - began };
};

/** The server checks the time at least this often, in milliseconds. */
const LOOKS_EVERY = 30_000;
/** How long an idle server may take to start the tasks, in milliseconds. */
const PATIENCE = LOOKS_EVERY + 5000;
const POLL_EVERY = 50;

/**
 * Sets the clock of the server's machine to 03:00, which starts the tasks, and waits until both have
 * finished.
 */
export const atThree = async (
	server: BuiltServer,
	database: Database,
	traffic: Traffic
): Promise<Run> => {
	const night = new Date();
	night.setUTCHours(27, 0, 0, 0);
	await server.setMachineClock((night.getTime() - Date.now()) / 1000);
	const began = performance.now();
	while ((await database.rows('select * from task_run')).length === 0) {
		if (performance.now() > began + PATIENCE)
			throw new Error('three o’clock passed without a task');
		await pause(POLL_EVERY);
	}
	traffic.take();
	const claimed = performance.now();
	const done: string[] = [];
	for (let read = 0; done.length < 2; await pause(POLL_EVERY)) {
		const printed = server.lines.slice(read);
		read += printed.length;
		done.push(...printed.filter((line) => line.includes('"event":"task_done"')));
	}
	return { output: done.join('\n'), took: performance.now() - claimed };
};
