import { execFile } from 'node:child_process';
import { COMPILED } from './built-server.ts';
import type { ScriptRun } from './http-script.ts';
import { QUICK_DRIZZLE } from './quick-drizzle.ts';
import { projectRoot } from './scratch-copy.ts';

/** `npm run db:copy`, without npm. */
export const dbCopy = (...args: readonly string[]): Promise<ScriptRun> => run('db-copy', args, '');

/** `npm run db:backup` of the database that this address names, without npm. */
export const dbBackup = (databaseUrl: string, ...args: readonly string[]): Promise<ScriptRun> =>
	run('db-backup', args, databaseUrl);

const run = (
	script: 'db-copy' | 'db-backup',
	args: readonly string[],
	databaseUrl: string
): Promise<ScriptRun> =>
	new Promise((resolve) => {
		execFile(
			process.execPath,
			[...QUICK_DRIZZLE, `scripts/${script}.ts`, ...args],
			// No other setting: neither needs one.
			{
				cwd: projectRoot,
				env: { ...COMPILED, PATH: process.env['PATH'] ?? '', DATABASE_URL: databaseUrl }
			},
			(error, stdout, stderr) => {
				const code = error === null ? 0 : typeof error.code === 'number' ? error.code : null;
				resolve({ code, stdout, stderr });
			}
		);
	});
