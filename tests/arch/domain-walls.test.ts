import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool, type ToolRun } from '../support/process/run-tool.ts';
import { adaptersInComponents } from './svelte-imports.ts';
import { projectRoot, scratchCopy, type ScratchCopy } from '../support/files/scratch-copy.ts';
import vitestConfig from '../../vitest.config.ts';

/**
 * Each wall is tested with a violation in a copy. Other checks show that the real code has none
 * (dev/checks.ts): types, dependency rules, lint.
 */

const compile = (root: string): Promise<ToolRun> =>
	runTool(
		root,
		'@typescript/native/bin/tsc',
		'-p',
		'src/lib/domain/tsconfig.json',
		'--pretty',
		'false'
	);

const cruise = (root: string, ...folders: string[]): Promise<ToolRun> =>
	runTool(
		root,
		'dependency-cruiser/bin/dependency-cruiser.mjs',
		...folders,
		...['--config', '.dependency-cruiser.js', '--output-type', 'err']
	);

let copy: ScratchCopy;
beforeAll(() => {
	copy = scratchCopy();
});
afterAll(() => copy.remove());

describe('wall 1, the compiler', () => {
	const planted: [name: string, code: string, complaint: string][] = [
		['process', 'export const x = process.env;', "Cannot find name 'process'"],
		['buffer', "export const x = Buffer.from('');", "Cannot find name 'Buffer'"],
		['crypto', 'export const x = crypto.randomUUID();', "Cannot find name 'crypto'"],
		['fetch', "export const x = fetch('');", "Cannot find name 'fetch'"],
		['url', "export const x = new URL('');", "Cannot find name 'URL'"],
		['console', "console.log('');", "Cannot find name 'console'"],
		['set-timeout', 'setTimeout(() => {}, 1);', "Cannot find name 'setTimeout'"],
		['text-encoder', 'export const x = new TextEncoder();', "Cannot find name 'TextEncoder'"],
		['require', "export const x = require('fs');", "Cannot find name 'require'"],
		['window', 'export const x = window;', "Cannot find name 'window'"],
		['node-module', "import 'node:fs';\nexport const x = 1;", ''],
		['enum', 'export enum X { One }', 'erasableSyntaxOnly'],
		['property', 'export class X { constructor(readonly y: number) {} }', 'erasableSyntaxOnly'],
		['unused', 'const x = 1;\nexport {};', "'x' is declared but"]
	];

	it('rejects what only Node or a browser has, and what is not erasable', async () => {
		for (const [name, code] of planted) copy.plant(`src/lib/domain/planted-${name}.ts`, code);
		const { status, output } = await compile(copy.root);
		expect(status).not.toBe(0);
		for (const [name, , complaint] of planted) {
			// Importing a Node module for its side effects is not a type error: wall 2 catches it.
			if (complaint === '') continue;
			const lines = output.split('\n').filter((line) => line.includes(`planted-${name}.ts`));
			expect(lines.join('\n'), name).toContain(complaint);
		}
	});

	it('its settings include no Node and no browser types', () => {
		const { compilerOptions } = JSON.parse(
			readFileSync(join(projectRoot, 'src/lib/domain/tsconfig.json'), 'utf8')
		);
		expect(compilerOptions).toMatchObject({ lib: ['es2024'], types: [], strict: true });
	});
});

describe('wall 2, the imports', () => {
	// No rule names the last adapter: it is new.
	const drivers = ['sql', 'sqlite', 'postgres', 'mail', 'crypto', 'system', 'brand-new'];
	const clock = '#lib/adapters/system/system.ts';
	const page = (from: string): string =>
		`<script lang="ts">\n\timport { x } from '${from}';\n</script>\n{x}\n`;
	const planted: [rule: string, path: string, code: string][] = [
		['domain-stands-alone', 'src/lib/domain/p-npm.ts', "export { v7 } from 'uuid';"],
		['domain-stands-alone', 'src/lib/domain/p-node.ts', "import 'node:crypto';"],
		['domain-stands-alone', 'src/lib/domain/p-bare.ts', "import 'crypto';"],
		[
			'domain-stands-alone',
			'src/lib/domain/p-npm-type.ts',
			"import type { Options } from '@node-rs/argon2';\nexport type X = Options;"
		],
		[
			'domain-stands-alone',
			'src/lib/domain/p-node-type.ts',
			"import type { KeyObject } from 'node:crypto';\nexport type X = KeyObject;"
		],
		['domain-stands-alone', 'src/lib/domain/p-alias.ts', `export { systemClock } from '${clock}';`],
		[
			'domain-stands-alone',
			'src/lib/domain/use-cases/p-relative-type.ts',
			"import type { systemClock } from '../../adapters/system/system.ts';\nexport type X = typeof systemClock;"
		],
		[
			'domain-stands-alone',
			'src/lib/domain/sessions/p-inline.ts',
			"export type X = typeof import('../../adapters/system/system.ts');"
		],
		['domain-stands-alone', 'src/lib/domain/p-late.ts', `export const x = import('${clock}');`],
		...drivers.flatMap((driver): [string, string, string][] => [
			[
				'pages-know-no-drivers',
				`src/routes/p-${driver}/+page.server.ts`,
				`export { x } from '#lib/adapters/${driver}/planted.ts';`
			],
			[
				'only-the-root-picks-drivers',
				`src/lib/adapters/web/p-${driver}.ts`,
				`export { x } from '#lib/adapters/${driver}/planted.ts';`
			],
			['', `src/lib/adapters/${driver}/planted.ts`, 'export const x = 1;']
		]),
		['pages-know-no-drivers', 'src/routes/p/+page.svelte', page('#lib/adapters/crypto/planted.ts')],
		['ui-knows-no-adapters', 'src/lib/ui/p-card.svelte', page('#lib/adapters/web/p-outcome.ts')],
		['', 'src/lib/adapters/web/p-outcome.ts', 'export const x = 1;'],
		[
			'adapters-know-no-routes',
			'src/lib/adapters/web/p-route.ts',
			"export { x } from '../../../routes/p-crypto/+page.server.ts';"
		],
		[
			'drivers-know-no-other-drivers',
			'src/lib/adapters/mail/p-other.ts',
			"export { x } from '../crypto/planted.ts';"
		],
		[
			'drivers-know-no-other-drivers',
			'src/lib/adapters/system/p-sql.ts',
			"export { x } from '../sql/planted.ts';"
		],
		[
			'drivers-know-no-other-drivers',
			'src/lib/adapters/brand-new/p-other.ts',
			"export { x } from '../crypto/planted.ts';"
		],
		[
			'sql-knows-only-types-of-dialects',
			'src/lib/adapters/sql/p-dialect.ts',
			"export { x } from '../sqlite/planted.ts';"
		],
		[
			'sql-knows-no-other-drivers',
			'src/lib/adapters/sql/p-other.ts',
			"export { x } from '../crypto/planted.ts';"
		],
		[
			'dialects-know-only-sql',
			'src/lib/adapters/sqlite/p-twin.ts',
			"export { x } from '../postgres/planted.ts';"
		],
		['product-knows-no-entry', 'src/lib/p-entry.ts', "export { x } from '../entry/p-bin.ts';"],
		['product-knows-no-entry', 'src/lib/p-bin.ts', "export { x } from '../../bin/p-dev.ts';"],
		[
			'production-knows-no-tools',
			'src/entry/p-bin.ts',
			"export { x } from '../../dev/planted.ts';"
		],
		['production-knows-no-tools', 'bin/p-dev.ts', "export { x } from '../dev/planted.ts';"],
		[
			'production-knows-no-tools',
			'src/lib/p-tests.ts',
			"export { x } from '../../tests/planted.ts';"
		],
		['', 'tests/planted.ts', 'export const x = 1;'],
		['', 'dev/planted.ts', 'export const x = 1;'],
		['no-circles', 'src/lib/domain/p-one.ts', "import './p-two.ts';\nexport const x = 1;"],
		['', 'src/lib/domain/p-two.ts', "import './p-one.ts';\nexport const x = 1;"],
		// A cycle of folders without a cycle of files.
		['capabilities-have-no-circles', 'src/lib/domain/p-a', ''],
		[
			'',
			'src/lib/domain/p-a/one.ts',
			"import type { X } from '../p-b/two.ts';\nexport type Y = X;"
		],
		['', 'src/lib/domain/p-b/two.ts', 'export type X = string;'],
		[
			'',
			'src/lib/domain/p-b/three.ts',
			"import type { Y } from '../p-a/one.ts';\nexport type Z = Y;"
		],
		[
			'only-the-domain-root-composes',
			'src/lib/domain/p-a/composes.ts',
			"import type { Stores } from '../stores.ts';\nexport type X = Stores;"
		],
		[
			'the-kernel-knows-no-capability',
			'src/lib/domain/p-kernel.ts',
			"import type { X } from './p-b/two.ts';\nexport type Y = X;"
		],
		['capabilities-have-no-circles', 'src/lib/adapters/web/p-a', ''],
		[
			'',
			'src/lib/adapters/web/p-a/one.ts',
			"import type { X } from '../p-b/two.ts';\nexport type Y = X;"
		],
		['', 'src/lib/adapters/web/p-b/two.ts', 'export type X = string;'],
		[
			'',
			'src/lib/adapters/web/p-b/three.ts',
			"import type { Y } from '../p-a/one.ts';\nexport type Z = Y;"
		],
		[
			'only-the-web-root-composes',
			'src/lib/adapters/web/p-a/composes.ts',
			"export { operations } from '../operations.ts';"
		],
		...(
			[
				['http-knows-no-sibling', 'http', 'edge'],
				['the-edge-knows-only-http', 'edge', 'api'],
				['the-api-knows-no-capability', 'api', 'p-b']
			] as const
		).map(([rule, folder, other]): [string, string, string] => [
			rule,
			`src/lib/adapters/web/${folder}/p-${other}.ts`,
			`import type { X } from '../${other}/two.ts';\nexport type Y = X;`
		]),
		['', 'src/lib/adapters/web/edge/two.ts', 'export type X = string;'],
		['', 'src/lib/adapters/web/api/two.ts', 'export type X = string;'],
		['no-orphans', 'src/lib/domain/p-alone.ts', 'export const x = 1;']
	];

	it('catches each forbidden import, type imports included', async () => {
		for (const [, path, code] of planted) if (code !== '') copy.plant(path, code);
		const { status, output } = await cruise(copy.root, 'src', 'bin');
		expect(status).not.toBe(0);
		const lines = output.split('\n').map((line) => line.trim());
		for (const [rule, path] of planted) {
			if (rule === '') continue;
			const found = lines.some((line) => line.startsWith(`error ${rule}: ${path}`));
			expect(found, `${rule} on ${path}`).toBe(true);
		}
		expect(lines.some((line) => line.startsWith('error') && line.includes('p-outcome.ts →'))).toBe(
			false
		);
	});
});

describe('wall 2, the types in components', () => {
	const script = (code: string): string => `<script lang="ts">\n\t${code}\n</script>\n`;
	const [web, crypto] = ['src/lib/adapters/web/x.ts', 'src/lib/adapters/crypto/x.ts'];
	const planted: [path: string, code: string, target: string][] = [
		['src/lib/ui/t-type.svelte', script("import type { X } from '#lib/adapters/web/x.ts';"), web],
		['src/lib/ui/t-one.svelte', script("import { type X } from '#lib/adapters/web/x.ts';"), web],
		['src/lib/ui/t-relative.svelte', script("import type { X } from '../adapters/web/x.ts';"), web],
		[
			'src/lib/ui/t-inline.svelte',
			script("const x: import('#lib/adapters/web/x.ts').X | null = null;"),
			web
		],
		[
			'src/lib/ui/t-module.svelte',
			'<script module lang="ts">\n\texport type { X } from \'#lib/adapters/web/x.ts\';\n</script>\n',
			web
		],
		[
			'src/routes/t/+page.svelte',
			script("import type { X } from '#lib/adapters/crypto/x.ts';"),
			crypto
		]
	];

	it('catches each type that a component imports from an adapter', () => {
		for (const [path, code] of planted) copy.plant(path, code);
		const found = adaptersInComponents(copy.root);
		for (const [path, , target] of planted) expect(found).toContain(`${path} → ${target}`);
	});

	it('finds none in the project', () => {
		expect(adaptersInComponents(projectRoot)).toEqual([]);
	});
});

describe('wall 3, the linter', () => {
	let eslint: ESLint;
	beforeAll(() => {
		eslint = new ESLint({ cwd: copy.root });
	});
	const complaints = async (path: string, code: string): Promise<string[]> => {
		const [result] = await eslint.lintText(`${code}\n`, { filePath: join(copy.root, path) });
		return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`);
	};

	it.each([
		['reading the clock', 'export const x = Date.now();', 'Clock port'],
		['reading the clock through a computed name', "export const x = Date['now']();", 'Clock port'],
		['the current date', 'export const x = new Date();', 'Clock port'],
		['the current date as text', 'export const x = Date();', 'Clock port'],
		['Date.now under another name', 'const { now } = Date;\nexport { now };', 'detour'],
		['Date under another name', 'const D = Date;\nexport const x = new D();', 'detour'],
		['randomness', 'export const x = Math.random();', 'Random port'],
		['Math.random under another name', 'const { random } = Math;\nexport { random };', 'detour'],
		['the global object', 'export const x = globalThis;', 'detour'],
		['new global declarations', 'declare global { const process: string }\nexport {};', 'detour'],
		[
			'formatting in a language',
			'export const x = new Intl.NumberFormat();',
			'language of the machine'
		],
		[
			'lower case by the rules of a language',
			"export const x = 'I'.toLocaleLowerCase();",
			'language of'
		],
		[
			'a date formatted in a language',
			'export const x = new Date(0).toLocaleString();',
			'language of'
		],
		[
			'sort order by the rules of a language',
			"export const x = 'a'.localeCompare('b');",
			'language of'
		],
		[
			'a reference to other types',
			'/// <reference types="node" />\nexport {};',
			'triple-slash-reference'
		],
		[
			'a comment that silences the compiler',
			'// @ts-expect-error because I say so\nexport {};',
			'ban-ts-comment'
		],
		[
			'a comment that silences the linter',
			'/* eslint-disable */\nexport const x = Date.now();',
			'Clock port'
		],
		['an enum', 'export enum X {\n\tOne\n}', 'Not erasable'],
		[
			'a type imported as a value',
			"import { X } from './x.ts';\nexport type Y = X;",
			'type-imports'
		],
		['an unused variable', 'const x = 1;\nexport {};', 'no-unused-vars'],
		['a missing return type', 'export const x = () => 1;', 'explicit-module-boundary-types']
	])('rejects %s in the domain', async (_what, code, complaint) => {
		expect((await complaints('src/lib/domain/planted.ts', code)).join('\n')).toContain(complaint);
	});

	it('allows dates from a given time, and arithmetic', async () => {
		const code = 'export const x = (at: number): Date => new Date(Math.max(0, at));';
		expect(await complaints('src/lib/domain/planted.ts', code)).toEqual([]);
	});

	it.each(['src/lib/adapters/web/planted.ts', 'src/routes/planted/+server.ts'])(
		'A15: rejects predictable randomness in the whole product: %s',
		async (path) => {
			const found = await complaints(path, 'export const x: number = Math.random();');
			expect(found.join('\n')).toContain('Random port');
		}
	);

	it('allows one formatter per language, but not one per text', async () => {
		const path = 'src/lib/messages/planted.ts';
		for (const made of ['', 'let f;\nf = ']) {
			const anew = `${made}new Intl.NumberFormat('en').format(1);`;
			expect((await complaints(path, anew)).join('\n')).toContain('make it once');
		}
		const kept =
			"let f: Intl.NumberFormat | null = null;\nexport const x = (n: number): string => (f ??= new Intl.NumberFormat('en')).format(n);";
		expect(await complaints(path, kept)).toEqual([]);
	});

	it('L03: rejects unescaped HTML in components', async () => {
		const code = '<script lang="ts">\n\tconst x = \'\';\n</script>\n\n{@html x}';
		const found = await complaints('src/lib/ui/planted.svelte', code);
		expect(found.join('\n')).toContain('svelte/no-at-html-tags');
	});
});

describe('wall 4, the test project', () => {
	interface Project {
		readonly extends?: unknown;
		readonly plugins?: unknown;
		readonly test?: {
			readonly name?: unknown;
			readonly environment?: unknown;
			readonly setupFiles?: unknown;
			readonly globalSetup?: unknown;
			readonly alias?: unknown;
		};
		readonly resolve?: unknown;
	}

	/** The settings that add something to plain Node. */
	const additions = (project: Project): string[] => [
		...(['extends', 'plugins', 'resolve'] as const).filter((key) => project[key]),
		...(['setupFiles', 'globalSetup', 'alias'] as const).filter((key) => project.test?.[key]),
		...((project.test?.environment ?? 'node') === 'node' ? [] : ['environment'])
	];

	it('runs the domain without plugin, setup file or environment of its own', () => {
		const projects = ((vitestConfig as { test?: { projects?: unknown } }).test?.projects ??
			[]) as Project[];
		const domain = projects.filter((project) => project.test?.name === 'domain');
		expect(domain).toHaveLength(1);
		expect(domain.flatMap(additions)).toEqual([]);
	});

	it('detects each of them', () => {
		const tricks: Project[] = [
			{ extends: true },
			{ plugins: [{}] },
			{ resolve: { alias: {} } },
			{ test: { setupFiles: ['x.ts'] } },
			{ test: { globalSetup: ['x.ts'] } },
			{ test: { alias: {} } },
			{ test: { environment: 'jsdom' } }
		];
		for (const trick of tricks) expect(additions(trick)).toHaveLength(1);
	});
});
