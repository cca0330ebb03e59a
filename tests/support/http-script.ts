import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { COMPILED, NO_SETTINGS, TEST_SECRET, type BuiltServer } from './built-server.ts';
import { projectRoot } from './scratch-copy.ts';

export interface ScriptRun {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface ScriptOptions {
	/** How far its clock is ahead of the real time, in seconds. */
	readonly ahead?: number;
	readonly env?: Readonly<Record<string, string>>;
}

const clock = pathToFileURL(join(import.meta.dirname, 'shifted-clock.ts')).href;

/** Runs a script as npm does, on the database and with the settings of a running server. */
export const runScript = (
	server: Pick<BuiltServer, 'address' | 'databaseUrl'>,
	script: 'task' | 'seed-purchase',
	args: readonly string[],
	{ ahead = 0, env = {} }: ScriptOptions = {}
): Promise<ScriptRun> =>
	new Promise((resolve, reject) => {
		const child = spawn(
			process.execPath,
			['--import', clock, join('scripts', `${script}.ts`), ...args],
			{
				cwd: projectRoot,
				env: {
					...NO_SETTINGS,
					...COMPILED,
					PATH: process.env['PATH'] ?? '',
					AUTH_SECRET: TEST_SECRET,
					AUTH_URL: server.address,
					DATABASE_URL: server.databaseUrl,
					TEST_CLOCK_AHEAD: String(ahead),
					...env
				},
				stdio: ['ignore', 'pipe', 'pipe']
			}
		);
		let stdout = '';
		let stderr = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
		child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, stdout, stderr }));
	});
