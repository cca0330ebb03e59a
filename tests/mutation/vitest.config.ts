import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { SERVER_FORMS } from '../../vitest.config.ts';
import { QUICK_DRIZZLE } from '../support/database/quick-drizzle.ts';

/**
 * Stryker selects tests by name. It joins the names of suites and tests with a space, Vitest 5 with
 * ' > '. Without this, every selected test is skipped, and every mutant survives.
 */
const testNames: Plugin = {
	name: 'names-as-stryker-joins-them',
	configureVitest({ project }) {
		let pattern: RegExp | undefined;
		Object.defineProperty(project.config, 'testNamePattern', {
			enumerable: true,
			get: () => pattern,
			set: (names: RegExp | undefined) => {
				pattern = names && new RegExp(names.source.replaceAll(' ', '(?: >)? '));
			}
		});
	}
};

// The fast tests as one project, as Stryker needs them. It runs them in threads of one process.
export default defineConfig({
	plugins: [testNames],
	resolve: { alias: SERVER_FORMS },
	test: {
		include: [
			'tests/domain/**/*.test.ts',
			'tests/web/**/*.test.ts',
			'tests/contract/stores/sqlite.test.ts'
		],
		// Needs a process of its own for its time zone.
		exclude: ['tests/web/operations/daily-tasks.test.ts'],
		isolate: false,
		execArgv: [...QUICK_DRIZZLE],
		testTimeout: 120_000,
		server: { deps: { inline: [/\/sveltekit-superforms\/dist\/server\//] } }
	}
});
