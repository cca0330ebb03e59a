import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programFile } from '../../../bin/fresh-build.ts';
import {
	askForTime,
	COMPILED,
	NO_SETTINGS,
	TEST_SECRET,
	type BuiltServer
} from '../process/built-server.ts';
import { moveDatabaseTime } from '../postgres/time.ts';
import { runProgram, type ProgramRun } from '../process/run-program.ts';

export interface ScriptOptions {
	/** How far its clock is ahead of the real time, in seconds. */
	readonly ahead?: number;
	readonly env?: Readonly<Record<string, string>>;
}

const clock = pathToFileURL(join(import.meta.dirname, '../time/shifted-clock.ts')).href;

type Server = Pick<BuiltServer, 'address' | 'databaseUrl'>;

/** Runs a script as npm does, on the database and with the settings of a running server. */
export const runScript = async (
	server: Server,
	script: 'admin' | 'task' | 'mail' | 'seed-purchase',
	args: readonly string[],
	{ ahead = 0, env = {} }: ScriptOptions = {}
): Promise<ProgramRun> => {
	if (ahead === 0 || server.databaseUrl.startsWith('file:')) {
		return run(server, script, args, { ...env, TEST_CLOCK_AHEAD: String(ahead) });
	}
	// On PostgreSQL the database’s time counts, for the server too.
	await moveDatabaseTime(server.databaseUrl, ahead);
	try {
		return await run(server, script, args, env);
	} finally {
		await moveDatabaseTime(server.databaseUrl, 0);
		await askForTime(server.address);
	}
};

const run = (
	server: Server,
	script: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>
): Promise<ProgramRun> =>
	runProgram(['--import', clock, programFile(script), ...args], {
		env: {
			...NO_SETTINGS,
			...COMPILED,
			PATH: process.env['PATH'] ?? '',
			AUTH_SECRET: TEST_SECRET,
			AUTH_URL: server.address,
			DATABASE_URL: server.databaseUrl,
			...env
		}
	});
