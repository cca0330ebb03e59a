import { nodeProblem } from '../src/lib/config/node-version.js';

const problem = nodeProblem(process.versions.node);
if (problem !== null) {
	console.error(`[postern] ${problem}`);
	process.exit(1);
}
await import('./serve.ts');
