// `dev/mutation.ts` runs Stryker once for each capability.
const capability = process.env.CAPABILITY ?? 'sign-in';
const folder = capability === 'root' ? '' : `/${capability}/**`;

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	testRunner: 'vitest',
	vitest: { configFile: 'vitest.mutation.config.ts' },
	mutate: [
		`src/lib/{domain,adapters/web,adapters/sql}${folder}/*.ts`,
		// `npm run check:migrations` compares the definitions of tables with the migrations.
		'!src/lib/adapters/sql/**/{tables,columns}.ts'
	],
	coverageAnalysis: 'perTest',
	// A mutant of a module's constants would need a new process for each.
	ignoreStatic: true,
	// A busy machine must not look like an endless loop.
	timeoutMS: 60_000,
	incremental: true,
	incrementalFile: `.stryker/${capability}.incremental.json`,
	tempDirName: '.stryker/sandbox',
	ignorePatterns: [
		'build',
		'data',
		'test-results',
		'screenshots',
		'docs',
		'tests/{compat,e2e,http}'
	],
	// Without this, Stryker rewrites the paths of tsconfig.json for its copy, which are right as they are.
	tsconfigFile: 'none',
	reporters: ['json', 'clear-text'],
	jsonReporter: { fileName: `.stryker/${capability}.json` },
	clearTextReporter: { allowColor: false, logTests: false }
};
