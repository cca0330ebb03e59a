import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const BUILD_CONFIG = 'vite.config.ts';
/** The sources of a build. Folders count too: a removed file changes its folder's time. */
export const SOURCES = [
	'src',
	'bin',
	'static',
	BUILD_CONFIG,
	'package.json',
	'package-lock.json',
	'CHANGELOG.md'
];
const BUILT = join('build', 'adapter-node.js');

/** The file of a program in the build. vite.config.ts lists the programs. */
export const programFile = (name: string): string => join('build', 'server', `${name}.js`);

/**
 * The flags of Node for the server, as in package.json and the Dockerfile. V8 would begin with 1 MB
 * for new objects. A server under load then collects garbage so often that it serves a sixth fewer
 * requests.
 */
export const SERVER_FLAGS: readonly string[] = ['--min-semi-space-size=4'];

/**
 * Builds when there is no build or a source is newer. Without the build configuration it uses the
 * existing build.
 */
export const ensureBuild = (say: (line: string) => void): void => {
	if (existsSync(BUILT) && (!existsSync(BUILD_CONFIG) || isUpToDate('.', SOURCES))) return;
	say('building (this takes a few seconds)');
	build('.');
};

/**
 * Builds for a program of an operator only when there is no build: a server may be running from it,
 * and its user may not be allowed to write.
 */
export const ensureProgram = (name: string, say: (line: string) => void): void => {
	if (name === 'start' || !existsSync(programFile(name))) return ensureBuild(say);
	if (existsSync(BUILD_CONFIG) && !isUpToDate('.', SOURCES)) {
		say('warning: the build is older than its sources; update it with "npm run build"');
	}
};

/** Whether the build in `folder` exists and is as new as all of `sources`. */
export const isUpToDate = (folder: string, sources: readonly string[]): boolean => {
	const built = statSync(join(folder, BUILT), { throwIfNoEntry: false });
	return built !== undefined && newest(sources) <= built.mtimeMs;
};

export const build = (folder: string): void => {
	try {
		const vite = resolve('node_modules', 'vite', 'bin', 'vite.js');
		execFileSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
			cwd: folder,
			stdio: ['ignore', 'ignore', 'inherit'],
			// NODE_ENV of the running server must not affect the build.
			env: { ...process.env, NODE_ENV: 'production' }
		});
	} catch {
		throw new Error('The build failed. See the lines above.');
	}
};

const newest = (paths: readonly string[]): number => Math.max(...paths.map(newestBelow));

const newestBelow = (path: string): number => {
	const stat = statSync(path, { throwIfNoEntry: false });
	if (!stat) return 0;
	if (!stat.isDirectory()) return stat.mtimeMs;
	return Math.max(stat.mtimeMs, newest(readdirSync(path).map((name) => join(path, name))));
};
