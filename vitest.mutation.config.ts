import { defineConfig } from 'vitest/config';
import { QUICK_DRIZZLE } from './tests/support/database/quick-drizzle.ts';
import { AS_SYSTEM, SERVER_FORMS } from './vitest.config.ts';

// The fast tests as one project, as Stryker needs them. It runs them in threads of one process.
export default defineConfig({
	resolve: { alias: SERVER_FORMS },
	test: {
		include: [
			'tests/domain/**/*.test.ts',
			'tests/web/**/*.test.ts',
			'tests/contract/stores/sqlite.test.ts',
			// On SQLite too, or without a database.
			'tests/contract/database/{copied-tables,migration-rules,store-fault}.test.ts'
		],
		// Needs a process of its own for its time zone.
		exclude: ['tests/web/operating/daily-tasks.test.ts'],
		isolate: false,
		setupFiles: [AS_SYSTEM],
		execArgv: [...QUICK_DRIZZLE],
		testTimeout: 120_000,
		expect: { poll: { timeout: 20_000 } },
		server: { deps: { inline: [/\/sveltekit-superforms\/dist\/server\//] } }
	}
});
