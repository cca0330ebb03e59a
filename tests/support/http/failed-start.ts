import { programFile } from '../../../bin/fresh-build.ts';
import { COMPILED, NO_SETTINGS, TEST_SECRET } from '../process/built-server.ts';
import { runProgram, type ProgramRun } from '../process/run-program.ts';

export interface Start extends ProgramRun {
	readonly lines: readonly string[];
}

/** Starts the server as an operator does, for starts that must fail; waits for its end. */
export const failedStart = async (
	env: Readonly<Record<string, string>>,
	{ node = process.execPath, args = [] as readonly string[] } = {}
): Promise<Start> => {
	const settings = {
		...NO_SETTINGS,
		...COMPILED,
		PATH: process.env['PATH'] ?? '',
		AUTH_SECRET: TEST_SECRET,
		AUTH_URL: 'http://localhost:3000',
		PORT: '3000',
		DATABASE_URL: 'file:/nonexistent/postern.db',
		...env
	};
	const options = { node, env: settings, timeout: 20_000 };
	const run = await runProgram([...args, programFile('start')], options);
	return { ...run, lines: run.stderr.trimEnd().split('\n') };
};
