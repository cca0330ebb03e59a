import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../files/scratch-copy.ts';

export interface ToolRun {
	readonly status: number;
	/** All its output, on either stream. */
	readonly output: string;
}

/** Runs Node with these arguments; a script is given by its path within node_modules. */
export const runTool = (cwd: string, script: string, ...rest: string[]): Promise<ToolRun> =>
	runNode(cwd, join(projectRoot, 'node_modules', script), ...rest);

export const runNode = (cwd: string, ...args: string[]): Promise<ToolRun> =>
	new Promise((resolve) => {
		execFile(
			process.execPath,
			args,
			{ cwd, maxBuffer: 1 << 26, env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } },
			(error, stdout, stderr) => {
				const code = error === null ? 0 : error.code;
				resolve({ status: typeof code === 'number' ? code : 1, output: stdout + stderr });
			}
		);
	});
