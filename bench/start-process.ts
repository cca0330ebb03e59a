import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, fstatSync, mkdtempSync, openSync, readSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

export interface ServerProcess {
	readonly name: string;
	/** Where it listens, without a path. */
	readonly url: string;
	readonly pid: number;
	/** Milliseconds from its last start to its first answer 200. */
	readonly startedIn: number;
	/** The end of what it has printed. */
	output(): string;
	/** Ends it as an operator would; resolves with its exit code, null where a signal ended it. */
	stop(): Promise<number | null>;
	/** The same, and a new start on the same port and environment. */
	restart(): Promise<void>;
}

export interface ProcessOptions {
	readonly name: string;
	readonly cwd: string;
	/** Of Node. */
	readonly args: readonly string[];
	/** Its whole environment besides PATH. */
	readonly env: Readonly<Record<string, string>>;
	readonly port: number;
	/** A path that answers 200 once it can serve. */
	readonly probe: string;
}

const PATIENCE_MS = 60_000;
const PROBE_EVERY_MS = 2;
/** A line is printed per request, so only the end is worth showing. */
const TAIL_BYTES = 64 * 1024;

/**
 * Starts a server with this very Node, its output going to a file as under a service manager: a
 * pipe to the process that makes the load would be read by that, at the cost of the load.
 */
export const startProcess = async (options: ProcessOptions): Promise<ServerProcess> => {
	const { name, cwd, args, port, probe } = options;
	const env = { PATH: process.env['PATH'] ?? '', ...options.env };
	const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
	const log = openSync(join(folder, 'output'), 'a+');
	// By address: a name would be looked up, and may stand for the other loopback first.
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
