import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Changes the code in small ways (mutants), and counts for each capability how many of these changes
// the fast tests notice. `npm run test:mutation -- sign-in limits` measures some of the capabilities.

const LAYERS = ['src/lib/domain', 'src/lib/adapters/web', 'src/lib/adapters/sql'];
const FOUND = ['Killed', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

const all = new Set(
	LAYERS.flatMap((layer) =>
		readdirSync(layer, { withFileTypes: true }).flatMap((entry) =>
			entry.isDirectory() ? [entry.name] : []
		)
	)
);

/** The share of the mutants that a test notices, in percent. Ignored and invalid ones do not count. */
const score = (capability: string): string => {
	const report = JSON.parse(readFileSync(join('.stryker', `${capability}.json`), 'utf8'));
	const statuses = Object.values<{ mutants: { status: string }[] }>(report.files).flatMap((file) =>
		file.mutants.map((mutant) => mutant.status)
	);
	const found = statuses.filter((status) => FOUND.includes(status)).length;
	const total = found + statuses.filter((status) => MISSED.includes(status)).length;
	return `| ${capability} | ${total} | ${((100 * found) / total).toFixed(1)} |`;
};

const asked = process.argv.slice(2);
const capabilities = asked.length > 0 ? asked : ['root', ...all].toSorted();
const rows = capabilities.map((capability) => {
	const { status } = spawnSync('stryker', ['run'], {
		stdio: 'inherit',
		env: { ...process.env, CAPABILITY: capability }
	});
	return status === 0 ? score(capability) : `| ${capability} | | failed |`;
});
console.log(['| Capability | Mutants | Noticed, % |', '| --- | --- | --- |', ...rows].join('\n'));
if (rows.some((row) => row.includes('failed'))) process.exitCode = 1;
