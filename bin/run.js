import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeProblem } from '../src/lib/config/node-version.js';

// Runs a program of the build. Builds first if there is no build; `start` also builds if it is outdated:
// node bin/run.js task account:purge

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
	console.error(`[postern] ${problem}`);
	process.exit(1);
}

const [node = '', , name = '', ...args] = process.argv;
const { ensureProgram, programFile } = await import('./fresh-build.ts');
try {
	ensureProgram(name, (line) => console.log(`[postern] ${line}`));
} catch (error) {
	console.error(`[postern] ${error instanceof Error ? error.message : error}`);
	process.exit(1);
}
const file = resolve(programFile(name));
// The program sees the arguments as if Node had started it directly.
process.argv = [node, file, ...args];
await import(pathToFileURL(file).href);
