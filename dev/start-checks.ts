import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

export interface Checks {
	/** Prints their output since the last call. */
	print(): void;
	hasFailed(): boolean;
	readonly ended: Promise<boolean>;
	stop(): void;
}

/** Starts the checks that only read files. Their output is printed after a stage of tests. */
export const startChecks = (env: NodeJS.ProcessEnv): Checks => {
	const child = spawn(process.execPath, [join('dev', 'checks.ts')], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => (output += text));
	}
	let failed = false;
	const ended = succeeds(child).then((fine) => {
		failed = !fine;
		return fine;
	});
	return {
		print: () => {
			process.stdout.write(output);
			output = '';
		},
		hasFailed: () => failed,
		ended,
		stop: () => void child.kill()
	};
};

/** Whether a child process ends with the code 0. */
export const succeeds = (child: ChildProcess): Promise<boolean> =>
	new Promise((resolve) => {
		child.once('error', (error) => {
			console.error(error.message);
			resolve(false);
		});
		child.once('close', (code) => resolve(code === 0));
	});
