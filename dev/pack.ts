import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureBuild } from '../bin/lib/ensure-build.ts';

// Builds `postern-<version>.tgz`: the server and the commands of operators as one npm package, with
// what the container holds. The argument names the folder to write it to.

const FILES = [
	'build',
	'drizzle/sqlite',
	'drizzle/postgres',
	'bin/postern.js',
	'src/lib/config/node-version.js',
	'.env.example',
	'LICENSE'
];

interface LockedPackage {
	readonly version: string;
	readonly dev?: true;
	readonly devOptional?: true;
	readonly optional?: true;
	/** Only packages of one platform have this. */
	readonly cpu?: readonly string[];
}

const { name, version, description, license, type, engines } = JSON.parse(
	readFileSync('package.json', 'utf8')
);
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(
	readFileSync('package-lock.json', 'utf8')
);

/**
 * The exact version of every production package, also of those that others depend on: npm reads no
 * lockfile of an installed package. A second version inside another package cannot be named here: npm takes
 * it by the range of that package.
 */
const exactVersions = (wanted: (locked: LockedPackage) => boolean): Record<string, string> =>
	Object.fromEntries(
		Object.entries(lock.packages)
			.filter(
				([path, locked]) =>
					path !== '' &&
					!path.includes('/node_modules/') &&
					!locked.dev &&
					!locked.devOptional &&
					wanted(locked)
			)
			.map(([path, locked]) => [path.replace('node_modules/', ''), locked.version])
	);

const manifest = {
	name,
	version,
	description,
	license,
	type,
	engines,
	bin: { postern: 'bin/postern.js' },
	dependencies: exactVersions(({ optional }) => !optional),
	optionalDependencies: exactVersions(({ optional, cpu }) => optional === true && cpu !== undefined)
};

const [target = '.'] = process.argv.slice(2);
ensureBuild(console.log);
const folder = mkdtempSync(join(tmpdir(), 'postern-pack-'));
try {
	for (const file of FILES) cpSync(file, join(folder, file), { recursive: true });
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, '\t'));
	execFileSync('npm', ['pack', folder, '--silent', '--pack-destination', target], {
		stdio: 'inherit',
		shell: process.platform === 'win32'
	});
} finally {
	rmSync(folder, { recursive: true });
}
