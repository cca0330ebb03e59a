import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
	existsSync,
	lstatSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { NO_SETTINGS } from '../../support/process/built-server.ts';
import { freePort } from '../../support/process/free-port.ts';

const MB = 1024 * 1024;

const bytesBelow = (path: string): number => {
	const stat = lstatSync(path);
	if (!stat.isDirectory()) return stat.size;
	return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0);
};

/** npm's own cache, so that the test downloads only what a checkout did not need. */
const npmCache = (): string =>
	execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim();

/** The packages that a module imports by name. */
const packagesIn = (code: string): readonly string[] =>
	[
		...code.matchAll(/^(?:import|export)(?:[^"';]*\bfrom)?\s*"([^"./#][^"]*)"/gm),
		...code.matchAll(/\bimport\("([\w@][^"]*)"\)/g)
	]
		.map(([, name = '']) => name)
		.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
		.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));

test('the build imports production packages only', () => {
	const { dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
	const server = join(projectRoot, 'build', 'server');
	const used = new Set(
		readdirSync(server, { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.js'))
			.flatMap((path) => packagesIn(readFileSync(join(server, path), 'utf8')))
	);
	expect(used).toContain('better-sqlite3');
	expect([...used].filter((name) => !(name in dependencies))).toEqual([]);
});

describe.skipIf(process.platform === 'win32')('the packed release, in an empty folder', () => {
	const folder = mkdtempSync(join(tmpdir(), 'postern-packed-'));
	const cache = mkdtempSync(join(tmpdir(), 'postern-cache-'));
	const env: NodeJS.ProcessEnv = {
		...process.env,
		...Object.fromEntries(Object.keys(NO_SETTINGS).map((name) => [name, undefined])),
		npm_config_cache: cache,
		npm_config_prefer_offline: 'true'
	};
	let server: ChildProcess;
	let address: string;
	let output = '';

	beforeAll(async () => {
		execFileSync(process.execPath, ['dev/pack.ts', folder], { cwd: projectRoot });
		symlinkSync(join(npmCache(), '_cacache'), join(cache, '_cacache'));
		const [file = ''] = readdirSync(folder);
		const port = await freePort();
		address = `http://localhost:${port}`;
		server = spawn('npx', ['--yes', `./${file}`], {
			cwd: folder,
			env: { ...env, PORT: String(port) },
			// A group of its own, so that the test can stop npx together with the server.
			detached: true
		});
		for (const stream of [server.stdout, server.stderr]) {
			stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
		}
		const ended = once(server, 'exit').then(() => Promise.reject(new Error(output)));
		const ready = vi.waitFor(
			async () => expect((await fetch(`${address}/readyz`)).status, output).toBe(200),
			{ timeout: 280_000, interval: 200 }
		);
		await Promise.race([ready, ended]);
		// Rejects when the test stops it.
		ended.catch(() => undefined);
	}, 300_000);

	afterAll(async () => {
		if (server.exitCode === null) {
			process.kill(-(server.pid ?? 0), 'SIGTERM');
			await once(server, 'exit');
		}
		for (const made of [folder, cache]) rmSync(made, { recursive: true, force: true });
	});

	/** The folder that npx installed the package in. */
	const installed = (): string => {
		const [name = ''] = readdirSync(join(cache, '_npx'));
		return join(cache, '_npx', name, 'node_modules');
	};
	const postern = (...args: string[]): string =>
		execFileSync(join(installed(), '.bin', 'postern'), args, {
			cwd: folder,
			env: { ...env, PATH: `${join(installed(), '.bin')}:${process.env['PATH']}` },
			encoding: 'utf8'
		});

	test('serves the sign-in page, with its settings and its database there', async () => {
		expect(await (await fetch(`${address}/auth/sign-in`)).text()).toContain('<form');
		expect(existsSync(join(folder, '.env'))).toBe(true);
		expect(existsSync(join(folder, 'data', 'postern.db'))).toBe(true);
	});

	test('takes at most 100 MB, not counting Node', () => {
		const sizes = readdirSync(installed())
			.filter((name) => !name.startsWith('node-linux-'))
			.map((name) => bytesBelow(join(installed(), name)));
		expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(100 * MB);
	});

	test('runs the commands of operators', () => {
		expect(postern('task', 'account:purge')).toContain('account:purge removed 0');
		expect(postern('db-backup', 'copy.db')).toContain('copy.db');
		expect(existsSync(join(folder, 'copy.db'))).toBe(true);
		for (const command of ['mail-check', 'db-copy', 'unknown']) {
			expect(() => postern(command)).toThrow(/\[postern\] .+/);
		}
	});
});
