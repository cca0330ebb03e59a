import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../tests/support/process/free-port.ts';

interface ProcessOptions {
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
export const startProcess = async ({ name, cwd, args, probe, env: own }: ProcessOptions) => {
	const port = await freePort();
	const env = {
		...own(port),
		PATH: process.env['PATH'] ?? '',
		NODE_ENV: 'production',
		TZ: 'UTC',
		HOST: '127.0.0.1',
		PORT: String(port)
	};
	const folder = mkdtempSync(join(tmpdir(), 'postern-bench-'));
	const output = join(folder, 'output');
	const log = openSync(output, 'a');
	// The IP address, because a name needs a lookup and can resolve to `::1` first.
	const url = `http://127.0.0.1:${port}`;
	let child: ChildProcess;

	/** Returns how many milliseconds the first response with 200 took. */
	const start = async (): Promise<number> => {
		const begun = performance.now();
		child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', log, log] });
		while (!(await isReady(`${url}${probe}`))) {
			if (child.exitCode !== null || performance.now() - begun > TIMEOUT_MS) {
				throw new Error(`${name} did not start; it printed:\n${readFileSync(output, 'utf8')}`);
			}
			await pause(PROBE_EVERY_MS);
		}
		return performance.now() - begun;
	};
	const stop = async (): Promise<void> => {
		if (child.exitCode !== null) return;
		child.kill('SIGTERM');
		await once(child, 'exit');
	};
	process.once('exit', () => {
		child.kill('SIGKILL');
		rmSync(folder, { recursive: true, force: true });
	});
	await start();
	return {
		name,
		/** The address it listens on, without a path. */
		url,
		get pid() {
			return child.pid ?? 0;
		},
		stop,
		/** Starts it again with the same port and environment. Returns how long that took, in milliseconds. */
		restart: async () => {
			await stop();
			return start();
		}
	};
};

export type ServerProcess = Awaited<ReturnType<typeof startProcess>>;

const isReady = async (address: string): Promise<boolean> => {
	try {
		// A connection of its own: one that is kept alive would end with the process before.
		return (await fetch(address, { headers: { connection: 'close' } })).status === 200;
	} catch {
		return false;
	}
};
