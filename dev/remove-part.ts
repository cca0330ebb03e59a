import { readFileSync } from 'node:fs';
import { readPartSteps, takePartOut } from './part-steps.ts';

// Takes a part out of this project: follows the steps of docs/removing-parts.md.

const STEPS = 'docs/removing-parts.md';

const parts = readPartSteps(readFileSync(STEPS, 'utf8'));
const [name = ''] = process.argv.slice(2);
const steps = parts.get(name);
if (steps === undefined) {
	console.error(`Name a part: ${[...parts.keys()].join(', ')}`);
	process.exitCode = 1;
} else {
	takePartOut('.', steps);
	const migration = steps.needsMigration ? ' && npm run db:generate' : '';
	console.log(`${name} is taken out. Now run: npm run prepare && npm run format${migration}`);
}
