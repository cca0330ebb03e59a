import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { ensureBuild } from '../bin/fresh-build.ts';
import { ensureCompat } from './fresh-compat.ts';

// Runs every check that a change must pass, fastest first. Stops at the first failure. `--full`
// runs the long form of race and fault tests.

interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

const folder = mkdtempSync(join(tmpdir(), 'postern-results-'));
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const env = {
	...process.env,
	PATH: [join(process.cwd(), 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
	...(process.argv.includes('--full') ? { POSTERN_FULL: '1' } : {})
};

const run = (command: string, args: readonly string[], extra: NodeJS.ProcessEnv = {}): boolean =>
	spawnSync(command, args, {
		stdio: ['ignore', 'inherit', 'inherit'],
		env: { ...env, ...extra },
		shell: process.platform === 'win32'
	}).status === 0;

const npmRun = (script: string) => (): boolean => run('npm', ['run', '--silent', script]);

/** Reads the JSON reports of vitest and Playwright. */
const count = (file: string): Counts => {
	const report = JSON.parse(readFileSync(file, 'utf8'));
	if ('stats' in report) {
		const { expected, unexpected, flaky, skipped } = report.stats;
		// A flaky test counts as failed.
		return { passed: expected, failed: unexpected + flaky, skipped };
	}
	return {
		passed: report.numPassedTests,
		failed: report.numFailedTests,
		skipped: report.numPendingTests + report.numTodoTests
	};
};

const counted = (file: string, execute: (file: string) => boolean) => (): boolean => {
	const path = join(folder, file);
	const fine = execute(path);
	const { passed, failed, skipped } = count(path);
	total.passed += passed;
	total.failed += failed;
	total.skipped += skipped;
	// A run without any test proves nothing.
	return fine && failed === 0 && passed > 0;
};

const vitest = (...projects: readonly string[]) =>
	counted(`${projects.join('-')}.json`, (file) =>
		run('vitest', [
			'run',
			...projects.flatMap((project) => ['--project', project]),
			'--reporter=dot',
			'--reporter=json',
			`--outputFile.json=${file}`
		])
	);

const playwright = counted('browser.json', (file) =>
	run('playwright', ['test', '--reporter=dot,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file })
);

const build = (): boolean => {
	ensureBuild((line) => console.log(line));
	return true;
};

/**
 * Checks types first: a client that does not compile against Postern is as broken as one that
 * fails.
 */
const compatible = (): boolean => {
	ensureCompat((line) => console.log(line));
	const folders = [join('tests', 'compat'), join('examples', 'spa')];
	return folders.every((folder) => run('tsc', ['-p', folder])) && vitest('compat')();
};

/** The framework's generated types, which an installation without scripts does not create. */
const prepare = npmRun('prepare');

const stages: readonly (readonly [string, () => boolean])[] = [
	['generated types', prepare],
	['formatting', npmRun('check:format')],
	['lint', npmRun('check:lint')],
	['types', npmRun('check:types')],
	['dependency rules', npmRun('check:dependencies')],
	['migrations', npmRun('check:migrations')],
	['architecture and units', vitest('arch', 'domain', 'web')],
	['build', build],
	['contracts', vitest('contract')],
	['built server', vitest('http')],
	['browser', playwright],
	['better-auth client', compatible]
];

const broken = stages.find(([name, stage]) => {
	console.log(`\n== ${name}`);
	const started = performance.now();
	const fine = attempt(stage);
	console.log(
		`== ${name}: ${fine ? 'ok' : 'BROKEN'}, ${((performance.now() - started) / 1000).toFixed(1)} s`
	);
	return !fine;
});

rmSync(folder, { recursive: true, force: true });
if (broken !== undefined) {
	console.log(`\nStopped at: ${broken[0]}`);
	// A failed check that counts no tests still fails the run.
	total.failed = Math.max(1, total.failed);
	process.exitCode = 1;
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);

function attempt(stage: () => boolean): boolean {
	try {
		return stage();
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		return false;
	}
}
