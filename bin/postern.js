#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { nodeProblem } from '../src/lib/config/node-version.js';

// The command `postern`: starts the server, or runs another program of the build, such as
// `postern task account:purge`. In a checkout it builds first where that is needed.

const folder = join(dirname(fileURLToPath(import.meta.url)), '..');
const [, self = '', name = 'start', ...args] = process.argv;

/** @param {string} line */
const stop = (line) => {
	console.error(`[postern] ${line}`);
	process.exit(1);
};

/** The Node that npm installed with the package, on the platforms that have one. */
const ownNode = () => {
	try {
		const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
		const bin = process.platform === 'win32' ? 'node.exe' : 'node';
		return join(
			dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
			'bin',
			bin
		);
	} catch {
		return null;
	}
};

const run = async () => {
	if (existsSync(join(folder, 'vite.config.ts'))) {
		const { ensureProgram } = await import('./lib/ensure-build.ts');
		// Standard output may have only the result of the program.
		ensureProgram(name, (line) => console.error(`[postern] ${line}`));
	}
	const file = join(folder, 'build', 'server', `${name}.js`);
	if (!/^[a-z-]+$/.test(name) || !existsSync(file)) {
		throw new Error(
			`there is no command "${name}": use start, task, admin, mail, mail-check, seed-purchase, db-copy or db-backup`
		);
	}
	// The program sees the arguments as if Node had started it directly.
	process.argv = [process.execPath, file, ...args];
	await import(pathToFileURL(file).href);
};

const problem = nodeProblem(process.versions.node);
const node = problem === null ? null : ownNode();
if (node !== null && node !== process.execPath) {
	const child = spawn(node, [self, name, ...args], { stdio: 'inherit' });
	process.on('SIGINT', () => child.kill('SIGINT')).on('SIGTERM', () => child.kill('SIGTERM'));
	child.on('exit', (code) => process.exit(code ?? 1));
} else if (problem !== null) {
	stop(problem);
} else {
	await run().catch((error) => stop(error instanceof Error ? error.message : String(error)));
}
