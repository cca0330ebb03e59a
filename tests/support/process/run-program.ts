import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { projectRoot } from '../files/scratch-copy.ts';

export interface ProgramRun {
	/** Its exit code. Null if it was killed. */
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

export interface ProgramOptions {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly cwd?: string;
	/** Another program than this Node. */
	readonly node?: string;
	/** After so many milliseconds it is killed. */
	readonly timeout?: number;
}

/** Runs Node with these arguments, in the project, and waits for its end. */
export const runProgram = (
	args: readonly string[],
	{ node = process.execPath, cwd = projectRoot, env, timeout = 0 }: ProgramOptions
): Promise<ProgramRun> =>
	new Promise((resolve) => {
		const options = { cwd, env, timeout, killSignal: 'SIGKILL', maxBuffer: 1 << 26 } as const;
		const child = execFile(node, args, options, (error, stdout, stderr) => {
			const code = error === null ? 0 : error.code;
			resolve({ code: typeof code === 'number' ? code : null, stdout, stderr });
		});
		child.stdin?.end();
	});

export interface ToolRun {
	readonly status: number;
	/** All its output, on either stream. */
	readonly output: string;
}

/** Runs Node with these arguments; a script is given by its path within node_modules. */
export const runTool = (cwd: string, script: string, ...rest: string[]): Promise<ToolRun> =>
	runNode(cwd, join(projectRoot, 'node_modules', script), ...rest);

export const runNode = async (cwd: string, ...args: string[]): Promise<ToolRun> => {
	const env = { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' };
	const { code, stdout, stderr } = await runProgram(args, { cwd, env });
	return { status: code ?? 1, output: stdout + stderr };
};
