import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a command, whose output is ours. Returns whether it ended with the code 0. */
export const run = async (
	command: string,
	args: readonly string[],
	env: Readonly<Record<string, string | undefined>> = process.env
): Promise<boolean> => {
	const child = spawn(command, args, {
		stdio: ['ignore', 'inherit', 'inherit'],
		env,
		shell: process.platform === 'win32'
	});
	const [code] = await once(child, 'close');
	return code === 0;
};

/** Prints whether a part succeeded, and how long it took. */
export const reported = async (name: string, part: () => Promise<boolean>): Promise<boolean> => {
	const started = performance.now();
	const isFine = await part().catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		return false;
	});
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	console.log(`== ${name}: ${isFine ? 'ok' : 'BROKEN'}, ${seconds} s`);
	return isFine;
};
