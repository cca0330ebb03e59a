import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package of its own: the client that tests run is nothing the product depends on. */
const FOLDER = join('tests', 'compat');
/** What was installed last. It lies beside the packages, so it goes when they go. */
const STAMP = join(FOLDER, 'node_modules', '.installed-lockfile');

/** Installs the packages of `tests/compat` when there are none or its lockfile has changed since. */
export const ensureCompat = (say: (line: string) => void): void => {
	const lockfile = readFileSync(join(FOLDER, 'package-lock.json'), 'utf8');
	if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockfile) return;
	say('installing the client for the compatibility tests, which takes a few seconds');
	const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
		cwd: FOLDER,
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32'
	});
	if (status !== 0) throw new Error(`npm ci failed in ${FOLDER}; the lines above say why.`);
	writeFileSync(STAMP, lockfile);
};
