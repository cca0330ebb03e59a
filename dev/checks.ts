import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { installClients } from './install.ts';
import { reported, run } from './run.ts';

// Runs every check that needs no build, in rows beside each other that take about as long. A row stops
// at its first check that fails.
// `npm test` runs this beside the tests. At the lowest priority it takes only the processor time
// that waiting tests leave over.
setPriority(constants.priority.PRIORITY_LOW);

const npmRun = (script: string) => () => run('npm', ['run', '--silent', script]);

/** In two parts: as one, it would be the last to end, and leave the other processor idle. */
const lint =
	(...args: string[]) =>
	() =>
		run('npm', ['run', '--silent', 'check:lint', '--', ...args]);

/** The native compiler, which needs a quarter of the processor time (package.json). */
const NATIVE_TSC = join('node_modules', '@typescript', 'native', 'bin', 'tsc');

/** The clients in other folders, which must compile against Postern as well. */
const clientTypes = async (): Promise<boolean> => {
	installClients((line) => console.log(line));
	return (
		(await run(process.execPath, [NATIVE_TSC, '-p', 'tests/compat'])) &&
		run(process.execPath, [NATIVE_TSC, '-p', 'examples/spa'])
	);
};

type Check = readonly [name: string, check: () => Promise<boolean>];

const rows: readonly (readonly Check[])[] = [
	[['lint of the product', lint('src', 'bin')]],
	[
		['formatting', npmRun('check:format')],
		['lint of the rest', lint('.', '--ignore-pattern', 'src/', '--ignore-pattern', 'bin/')]
	],
	[
		['types', npmRun('check:types')],
		['dependency rules', npmRun('check:dependencies')],
		['migrations', npmRun('check:migrations')],
		['types of the better-auth clients', clientTypes]
	]
];

await Promise.all(
	rows.map(async (row) => {
		for (const [name, check] of row) {
			if (await reported(name, check)) continue;
			process.exitCode = 1;
			break;
		}
	})
);
