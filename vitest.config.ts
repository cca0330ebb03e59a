import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { QUICK_DRIZZLE } from './tests/support/database/quick-drizzle.ts';

/**
 * The form library's main entry also exports a component, which needs the framework's plugin. Its
 * server entry has the same functions. It imports `$app/server` only to keep itself out of browsers.
 */
export const SERVER_FORMS = [
	{ find: /^sveltekit-superforms$/, replacement: 'sveltekit-superforms/server' },
	{
		find: '$app/server',
		replacement: fileURLToPath(new URL('tests/support/web/app-server.ts', import.meta.url))
	}
];

/**
 * Files that take long although they are short. Vitest starts the largest files first, so these would
 * begin last, and run while the other workers have nothing left.
 */
const SHORT_BUT_SLOW = [
	'tests/http/operating/packed.test.ts',
	'tests/http/operating/postgres-faults.test.ts',
	'tests/http/limits/slow-clients.test.ts',
	'tests/contract/stores/postgres.test.ts',
	'tests/contract/stores/sqlite.test.ts'
];

class SlowFilesFirst extends BaseSequencer {
	override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
		const place = ({ moduleId }: TestSpecification): number =>
			SHORT_BUT_SLOW.some((file) => moduleId.endsWith(file)) ? 0 : 1;
		return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
	}
}

/** Tests call stores and use-cases outside of any request. */
export const AS_SYSTEM = 'tests/support/database/system-events.ts';

/** Time limits of all projects, in milliseconds. Other work may keep the machine busy. */
const LIMITS = {
	testTimeout: process.env.POSTERN_FULL === '1' ? 600_000 : 120_000,
	hookTimeout: 120_000,
	expect: { poll: { timeout: 20_000 } }
};

/**
 * Projects with different numbers of workers run one after the other (`groupOrder`). No project loads the framework's plugin, because the tested code must work without it. The `#lib/…`
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
					setupFiles: [AS_SYSTEM],
					...LIMITS
				}
			},
			{
				resolve: { alias: SERVER_FORMS },
				test: {
					name: 'web',
					isolate: false,
					maxWorkers: 2,
					include: ['tests/web/**/*.test.ts'],
					setupFiles: [AS_SYSTEM],
					...LIMITS,
					server: { deps: { inline: [/\/sveltekit-superforms\/dist\/server\//] } }
				}
			},
			{
				test: {
					name: 'arch',
					isolate: false,
					include: ['tests/arch/**/*.test.ts'],
					maxWorkers: 2,
					...LIMITS
				}
			},
			{
				test: {
					// What needs a build or a database, as one project: a worker serves any of these files.
					name: 'system',
					sequence: { groupOrder: 1 },
					execArgv: [...QUICK_DRIZZLE],
					// Isolation would load the same modules for each file: an eighth of the processor time.
					isolate: false,
					include: ['tests/{contract,compat,http}/**/*.test.ts'],
					globalSetup: ['tests/support/build/setup.ts', 'tests/support/postgres/setup.ts'],
					setupFiles: [AS_SYSTEM],
					...LIMITS,
					// Many of these tests wait for a disk, a mail server, or until a fault is over.
					maxWorkers: 5
				}
			}
		]
	}
});
