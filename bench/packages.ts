import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, isFresh } from '../bin/fresh-build.ts';

// The build needs development packages, even where npm is configured to omit them.
const CI = [
	'ci',
	'--include=dev',
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
	'--prefer-offline'
];

/** The folders of the two applications to compare with. Each has its own packages. */
export const FLOOR = join(import.meta.dirname, 'floor');
export const PEER = join(import.meta.dirname, 'peer');

/** Installs and builds both applications when that is missing or their sources have changed. */
export const ensurePackages = (say: (line: string) => void): void => {
	for (const folder of [FLOOR, PEER]) {
		install(folder, say);
		const sources = ['src', 'vite.config.ts', 'package.json', 'package-lock.json'];
		if (
			isFresh(
				folder,
				sources.map((source) => join(folder, source))
			)
		)
			continue;
		say(`building ${folder}, which takes a few seconds`);
		build(folder);
	}
};

const install = (folder: string, say: (line: string) => void): void => {
	// The lockfile of the last installation. It is stored beside the packages, so it is removed
	// with them.
	const stamp = join(folder, 'node_modules', '.installed-lockfile');
	const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfile) return;
	say(`installing the packages of ${folder}, which takes a few seconds`);
	const { status } = spawnSync('npm', CI, {
		cwd: folder,
		stdio: ['ignore', 'ignore', 'inherit'],
		shell: process.platform === 'win32'
	});
	if (status !== 0) throw new Error(`npm ci failed in ${folder}; the lines above say why.`);
	writeFileSync(stamp, lockfile);
};
