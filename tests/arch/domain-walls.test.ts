import { join } from 'node:path';
import { ESLint } from 'eslint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTool, type ToolRun } from '../support/process/run-program.ts';
import { driversInComponents } from './svelte-imports.ts';
import { projectRoot, scratchCopy, type ScratchCopy } from '../support/files/scratch-copy.ts';

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

const cruise = (root: string, ...files: string[]): Promise<ToolRun> =>
	runTool(
		root,
		'dependency-cruiser/bin/dependency-cruiser.mjs',
		...files,
		'--config',
		'.dependency-cruiser.js',
		'--output-type',
		'err'
	);

let copy: ScratchCopy;
beforeAll(() => {
	copy = scratchCopy();
});
afterAll(() => copy.remove());

describe('wall 1, the compiler', () => {
	const planted: [name: string, code: string, complaint: string][] = [
		['process', 'export const x = process.env;', "Cannot find name 'process'"],
		['crypto', 'export const x = crypto.randomUUID();', "Cannot find name 'crypto'"],
		['window', 'export const x = window;', "Cannot find name 'window'"],
		['enum', 'export enum X { One }', 'erasableSyntaxOnly']
	];

	it('rejects what only Node or a browser has, and what is not erasable', async () => {
		for (const [name, code] of planted) copy.plant(`src/lib/domain/planted-${name}.ts`, code);
		const { output } = await compile(copy.root);
		for (const [name, , complaint] of planted) {
			const lines = output.split('\n').filter((line) => line.includes(`planted-${name}.ts`));
			expect(lines.join('\n'), name).toContain(complaint);
		}
	});
});

describe('wall 2, the imports', () => {
	/** A file of this name in each folder that a forbidden import names. */
	const TARGET = 'planted.ts';
	const forbidden: [rule: string, from: string, to: string][] = [
		['domain-stands-alone', 'src/lib/domain', 'src/lib/adapters/system'],
		['the-kernel-knows-no-capability', 'src/lib/domain', 'src/lib/domain/p-a'],
		['capabilities-have-no-circles', 'src/lib/domain/p-a', 'src/lib/domain/p-b'],
		['capabilities-have-no-circles', 'src/lib/adapters/web/p-a', 'src/lib/adapters/web/p-b'],
		['http-knows-no-sibling', 'src/lib/adapters/web/http', 'src/lib/adapters/web/edge'],
		['the-edge-knows-only-http', 'src/lib/adapters/web/edge', 'src/lib/adapters/web/api'],
		['the-api-knows-no-capability', 'src/lib/adapters/web/api', 'src/lib/adapters/web/p-a'],
		['pages-know-no-drivers', 'src/routes/p', 'src/lib/adapters/crypto'],
		['ui-knows-no-adapters', 'src/lib/ui', 'src/lib/adapters/web/edge'],
		['only-the-root-picks-drivers', 'src/lib/adapters/web', 'src/lib/adapters/sql'],
		['adapters-know-no-routes', 'src/lib/adapters/web', 'src/routes/p'],
		// No rule names this adapter: it is new.
		['drivers-know-no-other-drivers', 'src/lib/adapters/brand-new', 'src/lib/adapters/crypto'],
		['sql-knows-no-other-drivers', 'src/lib/adapters/sql', 'src/lib/adapters/crypto'],
		['sql-knows-only-types-of-dialects', 'src/lib/adapters/sql', 'src/lib/adapters/sqlite'],
		['dialects-know-only-sql', 'src/lib/adapters/sqlite', 'src/lib/adapters/postgres'],
		['product-knows-no-entry', 'src/lib', 'src/entry'],
		['production-knows-no-tools', 'bin', 'dev']
	];

	it('rejects each forbidden import, of packages and Node too', async () => {
		const fileOf = (from: string, to: string): string => `${from}/p-${to.replaceAll('/', '-')}.ts`;
		for (const to of new Set(forbidden.map(([, , target]) => target))) {
			copy.plant(`${to}/${TARGET}`, 'export const x = 1;');
		}
		for (const [, from, to] of forbidden) {
			const up = from.replaceAll(/[^/]+/g, '..');
			copy.plant(fileOf(from, to), `export { x } from '${up}/${to}/${TARGET}';`);
		}
		// The way back of each cycle of folders.
		for (const parent of ['src/lib/domain', 'src/lib/adapters/web']) {
			copy.plant(`${parent}/p-b/back.ts`, `export { x } from '../p-a/${TARGET}';`);
			copy.plant(`${parent}/p-a/${TARGET}`, 'export const x = 1;');
		}
		const others: [rule: string, path: string, code: string][] = [
			['domain-stands-alone', 'src/lib/domain/p-npm.ts', "export type { V7Options } from 'uuid';"],
			['domain-stands-alone', 'src/lib/domain/p-node.ts', "import 'node:crypto';"],
			['no-orphans', 'src/lib/domain/p-alone.ts', 'export const x = 1;']
		];
		for (const [, path, code] of others) copy.plant(path, code);
		// Only these files and what they import: the rules of all others have a check of their own.
		const planted = [
			...forbidden.map(([, from, to]) => fileOf(from, to)),
			'src/lib/domain/p-b/back.ts',
			'src/lib/adapters/web/p-b/back.ts',
			...others.map(([, path]) => path)
		];
		const { output } = await cruise(copy.root, ...planted);
		const missing = [
			...forbidden.map(([rule, from, to]) =>
				// A cycle is of folders.
				rule === 'capabilities-have-no-circles'
					? `error ${rule}: ${from}`
					: `error ${rule}: ${fileOf(from, to)}`
			),
			...others.map(([rule, path]) => `error ${rule}: ${path}`)
		].filter((line) => !output.includes(line));
		expect(missing).toEqual([]);
	});
});

describe('wall 2, the types in components', () => {
	it('rejects a type that a component imports from a driven adapter', () => {
		const code = "import type { X } from '#lib/adapters/sql/x.ts';";
		copy.plant('src/lib/ui/t-type.svelte', `<script lang="ts">\n\t${code}\n</script>\n`);
		expect(driversInComponents(copy.root)).toEqual([
			'src/lib/ui/t-type.svelte → src/lib/adapters/sql/x.ts'
		]);
	});

	it('finds none in the project', () => {
		expect(driversInComponents(projectRoot)).toEqual([]);
	});
});

describe('wall 3, the linter', () => {
	let eslint: ESLint;
	beforeAll(() => {
		eslint = new ESLint({
			cwd: copy.root,
			// The planted files are in no project that has types.
			overrideConfig: {
				languageOptions: { parserOptions: { projectService: false } },
				rules: { '@typescript-eslint/no-floating-promises': 'off' }
			}
		});
	});
	const complaints = async (
		path: string,
		code: string,
		[linter, root] = [eslint, copy.root]
	): Promise<string> => {
		const [result] = await linter.lintText(`${code}\n`, { filePath: join(root, path) });
		return (result?.messages ?? []).map(({ ruleId, message }) => `${ruleId}: ${message}`).join();
	};

	it.each([
		['reading the clock', 'export const x = Date.now();', 'Clock port'],
		['the current date', 'export const x = new Date();', 'Clock port'],
		['Date under another name', 'const D = Date;\nexport const x = new D();', 'detour'],
		['randomness', 'export const x = Math.random();', 'Random port'],
		['the language of the machine', "export const x = 'a'.localeCompare('b');", 'language of'],
		[
			'a comment that silences the linter',
			'/* eslint-disable */\nexport const x = Date.now();',
			'Clock port'
		],
		['a missing return type', 'export const x = () => 1;', 'explicit-module-boundary-types']
	])('rejects %s in the domain', async (_what, code, complaint) => {
		expect(await complaints('src/lib/domain/planted.ts', code)).toContain(complaint);
	});

	it('rejects a promise that nothing awaits', async () => {
		const typed = [new ESLint({ cwd: projectRoot }), projectRoot] as const;
		const code = 'export const go = (): void => {\n\tPromise.resolve();\n};';
		expect(await complaints('src/lib/domain/time.ts', code, [...typed])).toContain('no-floating');
	});

	it.each([
		['A15: predictable randomness', 'src/routes/planted/+server.ts', 'Random port'],
		['a formatter for each text', 'src/lib/messages/planted.ts', 'make it once'],
		['L03: unescaped HTML in components', 'src/lib/ui/planted.svelte', 'svelte/no-at-html-tags']
	])('rejects %s in the whole product', async (_what, path, complaint) => {
		const code = {
			'Random port': 'export const x: number = Math.random();',
			'make it once': "new Intl.NumberFormat('en').format(1);",
			'svelte/no-at-html-tags': '<script lang="ts">\n\tconst x = \'\';\n</script>\n\n{@html x}'
		}[complaint];
		expect(await complaints(path, code ?? '')).toContain(complaint);
	});
});
