import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { programFile } from '../../../bin/fresh-build.ts';
import { COMPILED } from '../process/built-server.ts';
import { runProgram, type ProgramRun } from '../process/run-program.ts';
import { projectRoot } from '../files/scratch-copy.ts';

/** `npm run db:copy`, without npm. */
export const dbCopy = (...args: readonly string[]): Promise<ProgramRun> => dbCopyWith({}, ...args);

/** The same with settings in the environment. */
export const dbCopyWith = (
	env: Readonly<Record<string, string>>,
	...args: readonly string[]
): Promise<ProgramRun> => run('db-copy', args, { DATABASE_URL: '', ...env });

/** `npm run db:backup` of this database, without npm. */
export const dbBackup = (databaseUrl: string, ...args: readonly string[]): Promise<ProgramRun> =>
	run('db-backup', args, { DATABASE_URL: databaseUrl });

// No other setting: neither script needs one.
const run = (
	script: 'db-copy' | 'db-backup',
	args: readonly string[],
	env: Readonly<Record<string, string>>
): Promise<ProgramRun> =>
	runProgram([programFile(script), ...args], {
		env: {
			...COMPILED,
			PATH: process.env['PATH'] ?? '',
			DATABASE_CA: '',
			DATABASE_TLS: '',
			...env
		}
	});

const SCRIPT = '/usr/bin/script';
/** Whether this machine can simulate a terminal: `script` of Linux can. */
export const hasTerminal = process.platform === 'linux' && existsSync(SCRIPT);

/** `npm run db:copy` in a terminal, which gets typed input once there is a prompt. */
export const dbCopyInTerminal = (
	env: Readonly<Record<string, string>>,
	typed: string,
	...args: readonly string[]
): Promise<{ readonly code: number | null; readonly output: string }> =>
	new Promise((resolve, reject) => {
		const command = [process.execPath, programFile('db-copy'), ...args];
		const quoted = command.map((word) => `'${word}'`).join(' ');
		const child = spawn(SCRIPT, ['--quiet', '--return', '--command', quoted, '/dev/null'], {
			cwd: projectRoot,
			env: { ...COMPILED, PATH: process.env['PATH'] ?? '', DATABASE_URL: '', ...env }
		});
		let output = '';
		child.stdout.setEncoding('utf8').on('data', (text: string) => {
			if (!output.includes('password') && (output + text).includes('password')) {
				child.stdin.write(typed);
			}
			output += text;
		});
		child.once('error', reject);
		child.once('close', (code) => resolve({ code, output }));
	});
