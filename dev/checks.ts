import { spawnSync } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { installClients } from './install.ts';

// Runs every check that needs no build, one after another, and stops at the first that fails.
// `npm test` runs this beside the tests. At the lowest priority it takes only the processor time
// that waiting tests leave over.
setPriority(constants.priority.PRIORITY_LOW);

const run = (command: string, ...args: readonly string[]): boolean =>
	spawnSync(command, args, {
		stdio: ['ignore', 'inherit', 'inherit'],
		shell: process.platform === 'win32'
	}).status === 0;

const npmRun = (script: string) => (): boolean => run('npm', 'run', '--silent', script);

/** The native compiler, which needs a quarter of the processor time (package.json). */
const NATIVE_TSC = join('node_modules', '@typescript', 'native', 'bin', 'tsc');

/** The clients in other folders, which must compile against Postern as well. */
const clientTypes = (): boolean => {
	installClients((line) => console.log(line));
	return ['tests/compat', 'examples/spa'].every((folder) =>
		run(process.execPath, NATIVE_TSC, '-p', folder)
	);
};

const checks: readonly (readonly [string, () => boolean])[] = [
	['formatting', npmRun('check:format')],
	['lint', npmRun('check:lint')],
	['types', npmRun('check:types')],
	['dependency rules', npmRun('check:dependencies')],
	['migrations', npmRun('check:migrations')],
	['types of the better-auth clients', clientTypes]
];

const failed = checks.find(([name, check]) => {
	const started = performance.now();
	const isFine = check();
	const seconds = ((performance.now() - started) / 1000).toFixed(1);
	console.log(`== ${name}: ${isFine ? 'ok' : 'BROKEN'}, ${seconds} s`);
	return !isFine;
});
if (failed !== undefined) process.exitCode = 1;
