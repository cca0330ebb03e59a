import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';

// Fails when a schema contains something that no migration creates. drizzle-kit writes the
// missing statements into a copy of the migrations. If it writes nothing, nothing is missing.

const generator = join(dirname(createRequire(import.meta.url).resolve('drizzle-kit')), 'bin.cjs');
const engines = [
	{ name: 'sqlite', dialect: 'sqlite' },
	{ name: 'postgres', dialect: 'postgresql' }
];

/** Null when schema and migrations agree, otherwise a description of the difference. */
const drift = (name: string, dialect: string, copy: string): string | null => {
	const migrations = join('drizzle', name);
	const schema = join('src', 'lib', 'adapters', name, 'schema.ts');
	cpSync(migrations, copy, { recursive: true });
	const before = readdirSync(copy).sort();
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		// Relative, because drizzle-kit puts a dot in front of every path.
		[
			generator,
			'generate',
			`--dialect=${dialect}`,
			`--schema=${schema}`,
			`--out=${relative('.', copy)}`
		],
		// No terminal: when drizzle-kit asks a question (was this column renamed?), the schema has
		// already drifted, and this must not wait.
		{ encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }
	);
	const added = readdirSync(copy).filter((file) => file.endsWith('.sql') && !before.includes(file));
	const [missing] = added.map((file) => readFileSync(join(copy, file), 'utf8').trim());
	if (missing !== undefined) return `${schema} needs a migration:\n${missing}`;
	// The exit status is 0 even after a failure, so the output decides.
	if (status === 0 && stdout.includes('No schema changes')) return null;
	const lines = `${stdout}\n${stderr}`.trim().split('\n');
	const complaint = lines.find((line) => line.includes('Error')) ?? lines.at(-1);
	return `${schema} cannot be compared with ${migrations}: ${complaint}`;
};

const scratch = mkdtempSync(join(tmpdir(), 'postern-migrations-'));
try {
	for (const { name, dialect } of engines) {
		const found = drift(name, dialect, join(scratch, name));
		if (found === null) {
			console.log(`${name}: schema and migrations agree`);
		} else {
			console.error(`${found}\nRun: npm run db:generate`);
			process.exitCode = 1;
		}
	}
} finally {
	rmSync(scratch, { recursive: true, force: true });
}
