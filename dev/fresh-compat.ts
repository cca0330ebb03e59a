import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Packages with their own dependencies. The product does not depend on the clients that tests
 * run.
 */
const FOLDERS = [
	{ folder: join('tests', 'compat'), args: [] },
	// Tests build it with our own tools.
	{ folder: join('examples', 'spa'), args: ['--omit=dev'] }
];
const CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/**
 * Installs the packages of each folder when they are missing or its lockfile has changed since.
 */
export const ensureCompat = (say: (line: string) => void): void => {
	for (const { folder, args } of FOLDERS) ensure(folder, args, say);
};

const ensure = (folder: string, args: readonly string[], say: (line: string) => void): void => {
	// The lockfile of the last installation. It is stored beside the packages, so it is removed
	// with them.
	const stamp = join(folder, 'node_modules', '.installed-lockfile');
	const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return;
	say(`installing the better-auth client in ${folder}, which takes a few seconds`);
	const { status } = spawnSync('npm', [...CI, ...args], {
		cwd: folder,
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32'
	});
	if (status !== 0) throw new Error(`npm ci failed in ${folder}; the lines above say why.`);
	writeFileSync(stamp, lockfile);
};
