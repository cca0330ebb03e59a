import { spawn } from 'node:child_process';
import {
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync
} from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { programFile } from '../../../bin/fresh-build.ts';
import { NO_SETTINGS, startBuiltServer, TEST_SECRET } from '../../support/process/built-server.ts';
import { bearer, call, signIn } from '../../support/http/client.ts';
import { projectRoot } from '../../support/files/scratch-copy.ts';

/** What the image of the Dockerfile holds. */
const PARTS = [
	'build/client',
	'build/server',
	'build/adapter-node.js',
	'build/handler.js',
	'drizzle',
	'package.json'
];

interface Lockfile {
	readonly packages: Readonly<
		Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>
	>;
}

/** The folders of the packages that `npm ci --omit=dev` installs, without those inside others. */
const productionPackages = (): readonly string[] => {
	const { packages } = JSON.parse(
		readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')
	) as Lockfile;
	return Object.entries(packages)
		.filter(
			([path, { dev, devOptional }]) =>
				/^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path) && !dev && !devOptional
		)
		.map(([path]) => path);
};

/** The packages that a module imports by name. */
const packagesIn = (code: string): readonly string[] =>
	[
		...code.matchAll(/^(?:import|export)(?:[^"';]*\bfrom)?\s*"([^"./#][^"]*)"/gm),
		...code.matchAll(/\bimport\("([\w@][^"]*)"\)/g)
	]
		.map(([, name = '']) => name)
		.filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
		.map((name) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'));

describe('the build, in a folder without sources', () => {
	let folder: string;
	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'postern-artefact-'));
		for (const part of PARTS)
			cpSync(join(projectRoot, part), join(folder, part), { recursive: true });
		for (const path of productionPackages()) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			symlinkSync(join(projectRoot, path), join(folder, path), 'junction');
		}
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	// Otherwise Node would find every package next to the target of a link.
	const env = { NODE_OPTIONS: '--preserve-symlinks' };

	const run = (program: string, ...args: readonly string[]): Promise<string> =>
		new Promise((resolve, reject) => {
			const child = spawn(process.execPath, [programFile(program), ...args], {
				cwd: folder,
				env: {
					...NO_SETTINGS,
					...env,
					PATH: process.env['PATH'] ?? '',
					AUTH_SECRET: TEST_SECRET,
					AUTH_URL: 'http://localhost:3000',
					DATABASE_URL: 'file:./data/postern.db'
				},
				stdio: ['ignore', 'pipe', 'pipe']
			});
			let output = '';
			for (const stream of [child.stdout, child.stderr]) {
				stream.setEncoding('utf8').on('data', (text: string) => (output += text));
			}
			child.once('error', reject);
			child.once('close', () => resolve(output.trim()));
		});

	test('signs users in and serves pages', async () => {
		const server = await startBuiltServer({ folder, env });
		try {
			const { token } = await signIn(server);
			const hello = await call(server, '/api/hello', { headers: bearer(token) });
			expect([hello.status, (await call(server, '/auth/sign-in')).status]).toEqual([200, 200]);
		} finally {
			expect(await server.stop()).toBe(0);
		}
	});

	test('runs every operator command', async () => {
		expect(await run('task', 'account:purge')).toMatch(/account:purge removed 0 /);
		expect(await run('seed-purchase', '--email', 'ada@example.com')).toContain(
			'bought by ada@example.com'
		);
		expect(await run('db-backup', 'backup.db')).toMatch(/rows, verified$/);
		expect(
			await run('db-copy', '--from', 'file:./backup.db', '--to', 'postgres://u@127.0.0.1:1/d')
		).toContain('(ECONNREFUSED)');
		expect(await run('mail-check', 'ada@example.com')).toContain('EMAIL_API_KEY');
		expect(await run('mail', 'failed')).toContain('no email was given up');
	});

	test('imports production packages only', () => {
		const { dependencies } = JSON.parse(
			readFileSync(join(projectRoot, 'package.json'), 'utf8')
		) as {
			dependencies: Readonly<Record<string, string>>;
		};
		const known = Object.keys(dependencies);
		const modules = readdirSync(join(folder, 'build/server'), { recursive: true, encoding: 'utf8' })
			.filter((path) => path.endsWith('.js'))
			.map((path) => readFileSync(join(folder, 'build/server', path), 'utf8'));
		const used = new Set(modules.flatMap(packagesIn));
		expect(used).toContain('better-sqlite3');
		expect([...used].filter((name) => !known.includes(name))).toEqual([]);
		expect(packagesIn('import { a } from "svelte/store";\nawait import("@x/y/z");')).toEqual([
			'svelte',
			'@x/y'
		]);
	});
});
