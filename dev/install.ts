import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const CI = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];

/** Installs the packages of the clients under test. The product does not depend on them. */
export const installClients = (say: (line: string) => void): void => {
	install(join('tests', 'compat'), say);
	// Tests build it with our own tools.
	install(join('examples', 'spa'), say, '--omit=dev');
};

/** Installs the packages of a folder when they are missing or its lockfile has changed since. */
export const install = (
	folder: string,
	say: (line: string) => void,
	...args: readonly string[]
): void => {
	// The lockfile of the last installation. It is stored beside the packages, so it is removed
	// with them.
	const stamp = join(folder, 'node_modules', '.installed-lockfile');
	const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return;
	say(`installing the packages of ${folder}, which takes a few seconds`);
	const { status } = spawnSync('npm', [...CI, ...args], {
		cwd: folder,
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32'
	});
	if (status !== 0) throw new Error(`npm ci failed in ${folder}; the lines above say why.`);
	writeFileSync(stamp, lockfile);
};
