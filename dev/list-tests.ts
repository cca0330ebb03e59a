import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Prints "project > group > title" of every test, sorted. A change that moves or merges tests
// compares the list from before with the list from after: `diff before.txt after.txt`.

interface Suite {
	readonly title: string;
	readonly file: string;
	readonly suites?: readonly Suite[];
	readonly specs: readonly {
		readonly title: string;
		readonly tests: readonly { readonly projectName: string }[];
	}[];
}

const PROJECTS = ['domain', 'web', 'arch', 'contract', 'http', 'compat'];

const folder = mkdtempSync(join(tmpdir(), 'postern-titles-'));

const run = (tool: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void => {
	const { status, stderr } = spawnSync(process.execPath, [join('node_modules', tool), ...args], {
		stdio: ['ignore', 'ignore', 'pipe'],
		env: { ...process.env, ...env }
	});
	if (status !== 0) throw new Error(`${tool} could not list its tests:\n${String(stderr)}`);
};

/** Projects are listed one by one: vitest lists no two with different numbers of workers. */
const vitestTitles = (project: string): string[] => {
	const file = join(folder, `${project}.json`);
	// Only running the files finds titles that they compute.
	const args = ['list', '--project', project, `--json=${file}`, '--no-static-parse'];
	run('vitest/vitest.mjs', args);
	const tests: { projectName: string; name: string }[] = JSON.parse(readFileSync(file, 'utf8'));
	return tests.map(({ projectName, name }) => `${projectName} > ${name}`);
};

/** A suite of a file has the file's path as its title, which is no part of the tests' titles. */
const titlesIn = ({ title, file, suites = [], specs }: Suite): string[] =>
	[
		...specs.flatMap((spec) => spec.tests.map((test) => [test.projectName, spec.title] as const)),
		...suites.flatMap((suite) =>
			titlesIn(suite).map((inner) => {
				const [project = '', ...names] = inner.split(' > ');
				return [project, names.join(' > ')] as const;
			})
		)
	].map(([project, name]) => [project, ...(title === file ? [] : [title]), name].join(' > '));

const browserTitles = (): string[] => {
	const file = join(folder, 'browser.json');
	run('@playwright/test/cli.js', ['test', '--list', '--reporter=json'], {
		PLAYWRIGHT_JSON_OUTPUT_FILE: file
	});
	const report: { suites: readonly Suite[] } = JSON.parse(readFileSync(file, 'utf8'));
	return report.suites.flatMap(titlesIn).map((title) => `browser ${title}`);
};

try {
	const titles = [...PROJECTS.flatMap(vitestTitles), ...browserTitles()];
	// A title may hold line ends; each has one line here.
	console.log(
		titles
			.map((title) => title.replaceAll('\n', '\\n'))
			.sort()
			.join('\n')
	);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
