import nodeModule from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { nodeProblem } from '../src/lib/config/node-version.js';

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
	console.error(`[postern] ${problem}`);
	process.exit(1);
}

// Keeps what Node makes of the sources, types stripped and code compiled: a third of the time to
// the first answer. Beside the packages, where only those write who may change the code; the
// temporary folder is everybody's. Where nothing may be written, starts go without.
nodeModule.enableCompileCache(join(import.meta.dirname, '..', 'node_modules', '.cache', 'postern'));
await import('./serve.ts');

// What is kept is for the flags it was made under, so it is written before they change. Changed any
// earlier, they would also make Node compile its own modules anew, 40 ms of each start.
nodeModule.flushCompileCache();
// V8 lets the garbage of a busy server grow with the memory of the machine; what is alive is a tenth
// of it. Its nursery stays as large as the start has made it, and the rest is collected when it has
// doubled: half of the memory under load, at no cost in requests per second that could be measured.
setFlagsFromString('--semi-space-growth-factor=1');
setFlagsFromString('--heap-growing-percent=100');
