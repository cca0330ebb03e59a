import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { referenceSamples } from './src/docs-build/reference-samples.ts';
import { QUICK_DRIZZLE } from './tests/support/database/quick-drizzle.ts';

/** Node arguments for projects that open databases. They make the import of drizzle faster. */
const execArgv = [...QUICK_DRIZZLE];

/**
 * The form library's main entry also exports a component, which needs the framework's plugin. Its
 * server entry has the same functions. It imports `$app/server` only to keep itself out of browsers.
 */
const SERVER_FORMS = [
	{ find: /^sveltekit-superforms$/, replacement: 'sveltekit-superforms/server' },
	{
		find: '$app/server',
		replacement: fileURLToPath(new URL('tests/support/web/app-server.ts', import.meta.url))
	}
];

/**
 * Tests of the built server that measure how soon it answers. They run one file at a time. Only
 * tests that mostly wait run beside them.
 */
const TIMED = [
	'tests/http/delivery/mail-flood.test.ts',
	'tests/http/delivery/mail-timing.test.ts',
	'tests/http/limits/worst-load.test.ts',
	'tests/http/sign-in/enumeration.test.ts'
];

/** Tests of the built server that mostly wait until a time limit or a fault is over. */
const WAITING = [
	'tests/http/limits/slow-clients.test.ts',
	'tests/http/operations/postgres-faults.test.ts'
];

/**
 * Files that take long although they are short. Vitest starts the largest files first, so these would
 * begin last, and run while the other workers have nothing left.
 */
const SHORT_BUT_SLOW = [
	'tests/contract/stores/postgres.test.ts',
	'tests/contract/stores/sqlite.test.ts',
	'tests/contract/database/instances.test.ts'
];

class SlowFilesFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification): number =>
			SHORT_BUT_SLOW.some((file) => moduleId.endsWith(file)) ? 0 : 1;
		return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
	}
}

const BUILT_SERVER = {
	execArgv,
	// Isolation would load the same modules for each file: an eighth of the processor time.
	isolate: false,
	globalSetup: ['tests/support/build/setup.ts', 'tests/support/postgres/setup.ts'],
	testTimeout: process.env.POSTERN_FULL === '1' ? 600_000 : 60_000,
	hookTimeout: 120_000
};

/**
 * Projects with different numbers of workers run one after the other (`groupOrder`), so that a run
 * without `--project` works.
 *
 * No project loads the framework's plugin, because the tested code must work without it. The `#lib/…`
 * imports are defined in package.json.
 */
export default defineConfig({
	test: {
		sequence: { sequencer: SlowFilesFirst },
		projects: [
			{
				test: {
					name: 'domain',
					isolate: false,
					maxWorkers: 2,
					include: ['tests/domain/**/*.test.ts'],
					// Property tests share the processors with the checks that run beside them.
					testTimeout: 20_000
				}
			},
			{
				resolve: { alias: SERVER_FORMS },
				// The routes of the reference import its coloured samples.
				plugins: [referenceSamples()],
				test: {
					name: 'web',
					isolate: false,
					maxWorkers: 2,
					include: ['tests/web/**/*.test.ts'],
					testTimeout: 20_000,
					server: { deps: { inline: [/\/sveltekit-superforms\/dist\/server\//] } }
				}
			},
			{
				test: {
					name: 'arch',
					isolate: false,
					include: ['tests/arch/**/*.test.ts'],
					maxWorkers: 2,
					testTimeout: 30_000
				}
			},
			{
				test: {
					name: 'contract',
					sequence: { groupOrder: 1 },
					execArgv,
					isolate: false,
					include: ['tests/contract/**/*.test.ts'],
					globalSetup: ['tests/support/build/program-setup.ts', 'tests/support/postgres/setup.ts'],
					testTimeout: process.env.POSTERN_FULL === '1' ? 300_000 : 20_000,
					hookTimeout: 30_000,
					// These tests mostly wait for databases, mail servers and each other.
					maxWorkers: 4
				}
			},
			{
				test: {
					...BUILT_SERVER,
					name: 'timing',
					sequence: { groupOrder: 2 },
					include: TIMED,
					maxWorkers: 1
				}
			},
			{
				test: {
					...BUILT_SERVER,
					name: 'waiting',
					sequence: { groupOrder: 3 },
					include: WAITING,
					maxWorkers: 2
				}
			},
			{
				test: {
					...BUILT_SERVER,
					name: 'http',
					sequence: { groupOrder: 1 },
					include: ['tests/http/**/*.test.ts'],
					exclude: [...TIMED, ...WAITING],
					// Each file starts its own servers, and many wait for a disk or until a fault is over. The
					// same as of the contracts, so that one run does both.
					maxWorkers: 4
				}
			},
			{
				test: {
					name: 'compat',
					sequence: { groupOrder: 1 },
					execArgv,
					isolate: false,
					include: ['tests/compat/*.test.ts'],
					globalSetup: ['tests/support/build/compat-setup.ts', 'tests/support/postgres/setup.ts'],
					testTimeout: 30_000,
					hookTimeout: 120_000,
					// The same as of the contracts, so that one run does both.
					maxWorkers: 4
				}
			}
		]
	}
});
