import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../tests/support/process/free-port.ts';

export interface ServerProcess {
	readonly name: string;
	/** The address it listens on, without a path. */
	readonly url: string;
	readonly pid: number;
	/** Milliseconds from its last start to its first response with 200. */
	readonly startedIn: number;
	stop(): Promise<void>;
	/** Stops it and starts it again with the same port and environment. */
	restart(): Promise<void>;
}

export interface ProcessOptions {
	readonly name: string;
	readonly cwd: string;
	/** The arguments of Node. */
	readonly args: readonly string[];
	/** Its whole environment except PATH, given its port. */
	readonly env: (port: number) => Readonly<Record<string, string>>;
	/** A path that responds with 200 once the server is ready. */
	readonly probe: string;
}

const TIMEOUT_MS = 60_000;
const PROBE_EVERY_MS = 2;

/**
 * Starts a production server with the Node of this process. Its output goes to a file, as under a
 * service manager. With a pipe, reading the output would slow the process that makes the load.
 */
export const startProcess = async (options: ProcessOptions): Promise<ServerProcess> => {
	const { name, cwd, args, probe } = options;
	const port = await freePort();
	const env = {
		...options.env(port),
		PATH: process.env['PATH'] ?? '',
		...{ NODE_ENV: 'production', TZ: 'UTC', HOST: '127.0.0.1', PORT: String(port) }
	};
	const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
	const output = join(folder, 'output');
	const log = openSync(output, 'a');
	// The IP address, because a name needs a lookup and can resolve to `::1` first.
	const url = `http://127.0.0.1:${port}`;
	let child: ChildProcess;
	let startedIn: number;

	const start = async (): Promise<void> => {
		const begun = performance.now();
		child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', log, log] });
		while (!(await answers(`${url}${probe}`))) {
			if (child.exitCode !== null || performance.now() - begun > TIMEOUT_MS) {
				throw new Error(`${name} did not start; it printed:\n${readFileSync(output, 'utf8')}`);
			}
			await pause(PROBE_EVERY_MS);
		}
		startedIn = performance.now() - begun;
	};
	const end = async (): Promise<void> => {
		if (child.exitCode !== null) return;
		const exited = once(child, 'exit');
		child.kill('SIGTERM');
		await exited;
	};
	process.once('exit', () => {
		child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});
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
		stop: end,
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
