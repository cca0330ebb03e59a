import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { programFile } from '../../../bin/lib/ensure-build.ts';
import { projectRoot } from '../files/scratch-copy.ts';
import { moveDatabaseTime } from '../postgres/time.ts';
import { askForTime, settingsOf, SHIFTED_CLOCK, type BuiltServer } from './built-server.ts';

export interface ProgramRun {
	/** Its exit code. Null if it was killed. */
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Runs Node with these arguments, in a folder, and waits for its end. */
export const runProgram = (
	args: readonly string[],
	{ cwd = projectRoot, env, timeout = 0 }: { cwd?: string; env: Env; timeout?: number }
): Promise<ProgramRun> =>
	new Promise((resolve) => {
		const options = { cwd, env, timeout, killSignal: 'SIGKILL', maxBuffer: 1 << 26 } as const;
		const child = execFile(process.execPath, args, options, (error, stdout, stderr) => {
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

/**
 * Runs a script as npm does, on the database and with the settings of a running server, with its clock
 * so many seconds ahead of the real time.
 */
export const runScript = async (
	server: Pick<BuiltServer, 'address' | 'databaseUrl'>,
	script: 'admin' | 'task' | 'mail' | 'seed-purchase',
	args: readonly string[],
	{ ahead = 0, env = {} }: { readonly ahead?: number; readonly env?: Env } = {}
): Promise<ProgramRun> => {
	const run = (clock: string): Promise<ProgramRun> =>
		runProgram(['--import', SHIFTED_CLOCK, programFile(script), ...args], {
			env: { ...settingsOf(server), TEST_CLOCK_AHEAD: clock, ...env }
		});
	if (ahead === 0 || server.databaseUrl.startsWith('file:')) return run(String(ahead));
	// On PostgreSQL the database’s time counts, for the server too.
	await moveDatabaseTime(server.databaseUrl, ahead);
	try {
		return await run('0');
	} finally {
		await moveDatabaseTime(server.databaseUrl, 0);
		await askForTime(server.address);
	}
};

/** Starts the server as an operator does, for starts that must fail; `preload` runs before it. */
export const failedStart = async (env: Env, preload = '') => {
	const site = { address: 'http://localhost:3000', databaseUrl: 'file:/nonexistent/postern.db' };
	const code = `data:text/javascript,${encodeURIComponent(preload)}`;
	const run = await runProgram(['--import', code, programFile('start')], {
		env: { ...settingsOf(site), PORT: '3000', ...env },
		timeout: 20_000
	});
	return { ...run, lines: run.stderr.trimEnd().split('\n') };
};

// The scripts that copy a database need its URL and no other setting.
const copyEnv = (env: Env): Env => ({ ...settingsOf({}), AUTH_SECRET: '', ...env });

/** `npm run db:copy`, without npm. */
export const dbCopy = (...args: readonly string[]): Promise<ProgramRun> => dbCopyWith({}, ...args);

/** `dbCopy` with settings in the environment. */
export const dbCopyWith = (env: Env, ...args: readonly string[]): Promise<ProgramRun> =>
	runProgram([programFile('db-copy'), ...args], { env: copyEnv(env) });

/** `npm run db:backup` of this database, without npm. */
export const dbBackup = (databaseUrl: string, ...args: readonly string[]): Promise<ProgramRun> =>
	runProgram([programFile('db-backup'), ...args], { env: copyEnv({ DATABASE_URL: databaseUrl }) });
