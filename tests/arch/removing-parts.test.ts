import Sqlite from 'better-sqlite3';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { build } from '../../bin/fresh-build.ts';
import { readPartSteps, takePartOut } from '../../dev/part-steps.ts';
import { projectCopy } from '../support/files/project-copy.ts';
import { projectRoot } from '../support/files/scratch-copy.ts';
import { call, newAddress, signIn } from '../support/http/client.ts';
import { present } from '../support/http/fixtures.ts';
import { startBuiltServer } from '../support/process/built-server.ts';
import { runNode, runTool } from '../support/process/run-tool.ts';

/*
 * Takes parts out of a copy of the project with the steps of docs/removing-parts.md, so the page and
 * this test cannot differ. `npm run test:full` also checks the types, and builds and serves each copy.
 */

const isFull = process.env.POSTERN_FULL === '1';
const parts = readPartSteps(readFileSync(join(projectRoot, 'docs/removing-parts.md'), 'utf8'));
/** The tables of each part. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
	'user-data': ['user_data', 'consent_record', 'unsubscribe_link'],
	purchases: ['purchase']
};
const alone = [...parts.keys()].map((name) => ({ name, taken: [name] }));
const all = { name: 'all of them', taken: [...parts.keys()] };
/** The short form covers every step. */
const cases = isFull ? [...alone, all] : [...alone.slice(0, 1), all];

const tool = async (root: string, ...call: [script: string, ...rest: string[]]): Promise<void> => {
	const { status, output } = await runTool(root, ...call);
	expect(status, output).toBe(0);
};

/** The names of the tables that the database has after the first start. */
const tablesOf = (file: string): readonly string[] => {
	const database = new Sqlite(file, { readonly: true });
	const names = database
		.prepare("select name from sqlite_master where type = 'table'")
		.pluck()
		.all() as string[];
	database.close();
	return names;
};

/** Checks the types of everything but tests and tools, which know all parts. */
const checkTypes = async (root: string): Promise<void> => {
	await tool(root, '@sveltejs/kit/svelte-kit.js', 'sync');
	const config = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as object;
	const product = { ...config, include: ['src/**/*', 'bin/**/*'] };
	writeFileSync(join(root, 'tsconfig.json'), JSON.stringify(product));
	await tool(
		root,
		'svelte-check/bin/svelte-check',
		'--tsconfig=tsconfig.json',
		'--fail-on-warnings'
	);
	await tool(root, '@typescript/native/bin/tsc', '-p', 'src/lib/domain');
};

/** Builds and serves the project, signs up and in, and opens pages. */
const serve = async (root: string): Promise<void> => {
	build(root);
	const server = await startBuiltServer({ folder: root });
	try {
		const email = newAddress();
		await signIn(server, email);
		const { cookie } = await signIn(server, email);
		for (const path of ['/', '/auth/sign-up', '/auth/sign-in']) {
			expect((await call(server, path)).status, path).toBe(200);
		}
		for (const path of ['/app', '/settings']) {
			expect((await call(server, path, { headers: { cookie } })).status, path).toBe(200);
		}
	} finally {
		await server.stop();
	}
};

describe('a project', () => {
	let copy: ReturnType<typeof projectCopy> | null = null;
	afterEach(() => copy?.remove());

	it.each(cases)(
		'without $name signs people up and in',
		{ timeout: 600_000 },
		async ({ taken }) => {
			copy = projectCopy();
			const { root } = copy;
			for (const name of taken) takePartOut(root, present(parts.get(name)));
			for (const engine of isFull ? ['sqlite', 'postgres'] : ['sqlite']) {
				await tool(root, 'drizzle-kit/bin.cjs', 'generate', `--config=drizzle/${engine}.config.ts`);
			}
			const run = await runNode(root, '--no-warnings', 'tests/support/parts/sign-up-and-in.ts');
			expect(run.status, run.output).toBe(0);
			const [signedUp, signedIn] = JSON.parse(run.output) as [string, string];
			expect(signedIn).toBe(signedUp);
			const tables = tablesOf(join(root, 'signed-in.db'));
			for (const [name, own] of Object.entries(TABLES)) {
				const left = tables.filter((table) => own.includes(table));
				expect(left, name).toHaveLength(taken.includes(name) ? 0 : own.length);
			}
			if (!isFull) return;
			await checkTypes(root);
			await serve(root);
		}
	);
});
