import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ensureBuild } from '../bin/lib/ensure-build.ts';
import { ensureAlphanumericBuild } from '../tests/support/build/alphanumeric.ts';
import { installClients } from './install.ts';
import { reported, run } from './run.ts';

// Runs every check that a change must pass. The build comes first. The tests run in stages, the
// fastest first, and beside them the checks of the sources (checks.ts). Nothing starts after the
// first failure. `--full` runs the long form of race and fault tests.

interface Counts {
	passed: number;
	failed: number;
	skipped: number;
}

type Stage = () => Promise<boolean>;

const folder = mkdtempSync(join(tmpdir(), 'postern-results-'));
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const env = {
	...process.env,
	PATH: [join(process.cwd(), 'node_modules', '.bin'), process.env['PATH']].join(delimiter),
	...(process.argv.includes('--full') ? { POSTERN_FULL: '1' } : {})
};

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

const counted =
	(file: string, execute: (file: string) => Promise<boolean>): Stage =>
	async () => {
		const path = join(folder, file);
		const fine = await execute(path);
		const { passed, failed, skipped } = count(path);
		total.passed += passed;
		total.failed += failed;
		total.skipped += skipped;
		// A run without any test proves nothing.
		return fine && failed === 0 && passed > 0;
	};

const vitest = (...projects: readonly string[]): Stage =>
	counted(`${projects.join('-')}.json`, (file) =>
		run(
			'vitest',
			[
				...['run', '--reporter=dot', '--reporter=json', `--outputFile.json=${file}`],
				...projects.flatMap((project) => ['--project', project])
			],
			env
		)
	);

const playwright = counted('browser.json', (file) =>
	run('playwright', ['test', '--reporter=dot,json'], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file })
);

/** Both builds that tests use. Later stages run side by side and must not build at the same time. */
const build: Stage = async () => {
	ensureBuild((line) => console.log(line));
	ensureAlphanumericBuild((line) => console.log(line));
	return true;
};

/**
 * What an installation without scripts does not create: the framework's generated types, and the
 * clients under test. A check and a stage both use the clients, and only one may install them.
 */
const prepare: Stage = async () => {
	installClients((line) => console.log(line));
	return run('npm', ['run', '--silent', 'prepare'], env);
};

const stages: readonly (readonly [string, Stage])[] = [
	['architecture and units', vitest('arch', 'domain', 'web')],
	['contracts, better-auth client and built server', vitest('system')],
	['browser', playwright]
];

const CHECKS = 'checks beside the tests';

/** The name of the first stage that failed. Null if all passed. */
const firstBroken = async (): Promise<string | null> => {
	if (!(await reported('preparation', prepare))) return 'preparation';
	// A build writes the framework's types again, which a check beside it would read half-written.
	if (!(await reported('build', build))) return 'build';
	const options = { env, maxBuffer: 1 << 26 };
	const checks = promisify(execFile)(process.execPath, [join('dev', 'checks.ts')], options);
	let failed = false;
	const ended = checks
		.catch((error: { stdout: string; stderr: string }) => {
			failed = true;
			return error;
		})
		.then(({ stdout, stderr }) => {
			process.stdout.write(`\n${stdout}${stderr}`);
			return !failed;
		});
	try {
		for (const [name, stage] of stages) {
			if (!(await reported(name, stage))) return name;
			if (failed) return CHECKS;
		}
		return (await reported(CHECKS, () => ended)) ? null : CHECKS;
	} finally {
		checks.child.kill();
	}
};

const broken = await firstBroken();
rmSync(folder, { recursive: true, force: true });
if (broken !== null) {
	console.log(`\nStopped at: ${broken}`);
	// A failed check that counts no tests still fails the run.
	total.failed = Math.max(1, total.failed);
	process.exitCode = 1;
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
