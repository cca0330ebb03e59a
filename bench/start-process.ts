import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServerProcess {
	readonly name: string;
	/** The address it listens on, without a path. */
	readonly url: string;
	readonly pid: number;
	/** Milliseconds from its last start to its first response with 200. */
	readonly startedIn: number;
	/** The end of its output. */
	output(): string;
	/** Stops it as an operator would. Returns its exit code, or null if a signal ended it. */
	stop(): Promise<number | null>;
	/** Stops it and starts it again with the same port and environment. */
	restart(): Promise<void>;
}

export interface ProcessOptions {
	readonly name: string;
	readonly cwd: string;
	/** The arguments of Node. */
	readonly args: readonly string[];
	/** Its whole environment except PATH. */
	readonly env: Readonly<Record<string, string>>;
	readonly port: number;
	/** A path that responds with 200 once the server is ready. */
	readonly probe: string;
}

const PATIENCE_MS = 60_000;
const PROBE_EVERY_MS = 2;
/** The server prints a line per request, so only the end is useful in an error. */
const TAIL_BYTES = 64 * 1024;

/**
 * Starts a server with the Node of this process. Its output goes to a file, as under a service
 * manager. With a pipe, reading the output would slow the process that makes the load.
 */
export const startProcess = async (options: ProcessOptions): Promise<ServerProcess> => {
	const { name, cwd, args, port, probe } = options;
	const env = { PATH: process.env['PATH'] ?? '', ...options.env };
	const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
	const log = openSync(join(folder, 'output'), 'a+');
	// The IP address, because a name needs a lookup and can resolve to `::1` first.
	const url = `http://127.0.0.1:${port}`;
	let child: ChildProcess;
	let startedIn: number;
	let ended: string | null = null;

	const output = (): string => {
		if (ended !== null) return ended;
		const { size } = fstatSync(log);
		const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
		readSync(log, tail, 0, tail.length, size - tail.length);
		return tail.toString('utf8');
	};
	const start = async (): Promise<void> => {
		const begun = performance.now();
		child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', log, log] });
		while (!(await answers(`${url}${probe}`))) {
			const waited = performance.now() - begun;
			if (child.exitCode === null && child.signalCode === null && waited < PATIENCE_MS) {
				await pause(PROBE_EVERY_MS);
				continue;
			}
			child.kill('SIGKILL');
			throw new Error(`${name} did not answer ${probe} with 200; it printed:\n${output()}`);
		}
		startedIn = performance.now() - begun;
	};
	const end = async (): Promise<number | null> => {
		if (child.exitCode === null && child.signalCode === null) {
			const exited = once(child, 'exit');
			child.kill('SIGTERM');
			await exited;
		}
		return child.exitCode;
	};
	const cleanUp = (): void => {
		child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	};

	process.once('exit', cleanUp);
	await start();
	return {
		name,
		url,
		get pid() {
			return child.pid ?? 0;
		},
		get startedIn() {
			return startedIn;
		},
		output,
		stop: async () => {
			if (ended !== null) return child.exitCode;
			const code = await end();
			ended = output();
			closeSync(log);
			process.off('exit', cleanUp);
			rmSync(folder, { recursive: true, force: true });
			return code;
		},
		restart: async () => {
			await end();
			await start();
		}
	};
};

const answers = (address: string): Promise<boolean> =>
	new Promise((resolve) => {
		get(address, { agent: false }, (response) => {
			response.resume();
			resolve(response.statusCode === 200);
		}).once('error', () => resolve(false));
	});
