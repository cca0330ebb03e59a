/**
 * Dependencies point at the domain. The rules apply to folders, and name the few files that may import more. Imports of types
 * count too. Compiling a component drops its type imports, so `tests/arch/svelte-imports.ts` checks those.
 */
const driven = '^src/lib/adapters/(?!(?:web|tasks)/)';

/** The files at the root of the domain that compose the capabilities. */
const composing = '^src/lib/domain/(?:invalidating-stores|use-cases)\\.ts$';

/** The files at the root of the web adapter that compose its folders. */
const composingWeb = '^src/lib/adapters/web/[^/]+\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		{
			name: 'domain-stands-alone',
			comment: 'The domain imports nothing: no package, no Node module, no other folder.',
			severity: 'error',
			from: { path: '^src/lib/domain/' },
			to: { pathNot: '^src/lib/domain/' }
		},
		{
			name: 'capabilities-have-no-circles',
			comment: 'A capability can be read after those that it imports.',
			severity: 'error',
			scope: 'folder',
			from: { path: ['^src/lib/domain/', '^src/lib/adapters/web/[^/]+$'] },
			to: { circular: true }
		},
		{
			name: 'only-the-domain-root-composes',
			comment:
				'These files put the capabilities together. Neither a capability nor another file of the root imports them.',
			severity: 'error',
			from: { path: '^src/lib/domain/', pathNot: composing },
			to: { path: composing }
		},
		{
			name: 'the-kernel-knows-no-capability',
			comment: 'The other files at the root of the domain are what all capabilities share.',
			severity: 'error',
			from: { path: '^src/lib/domain/[^/]+\\.ts$', pathNot: composing },
			to: { path: '^src/lib/domain/[^/]+/' }
		},
		{
			name: 'only-the-web-root-composes',
			comment: 'These files put the folders together: operations, rules, pipeline and tools.',
			severity: 'error',
			from: { path: '^src/lib/adapters/web/[^/]+/' },
			to: { path: composingWeb }
		},
		{
			name: 'http-knows-no-sibling',
			severity: 'error',
			from: { path: '^src/lib/adapters/web/http/' },
			to: { path: '^src/lib/adapters/web/', pathNot: '^src/lib/adapters/web/http/' }
		},
		{
			name: 'the-edge-knows-only-http',
			severity: 'error',
			from: { path: '^src/lib/adapters/web/edge/' },
			to: { path: '^src/lib/adapters/web/', pathNot: '^src/lib/adapters/web/(?:http|edge)/' }
		},
		{
			name: 'the-api-knows-no-capability',
			severity: 'error',
			from: { path: '^src/lib/adapters/web/api/' },
			to: { path: '^src/lib/adapters/web/', pathNot: '^src/lib/adapters/web/(?:http|edge|api)/' }
		},
		{
			name: 'pages-know-no-drivers',
			comment: 'Routes and components reach the outside through the use-cases of the application.',
			severity: 'error',
			from: { path: ['^src/routes/', '\\.svelte$'] },
			to: { path: driven }
		},
		{
			name: 'ui-knows-no-adapters',
			comment: 'Components get what they show as props, with the types of what loads it.',
			severity: 'error',
			from: { path: ['^src/lib/ui/', '\\.svelte$'] },
			to: { path: '^src/lib/adapters/', dependencyTypesNot: ['type-only'] }
		},
		{
			name: 'adapters-know-no-routes',
			severity: 'error',
			from: { path: '^src/lib/' },
			to: { path: '^src/routes/' }
		},
		{
			name: 'only-the-root-picks-drivers',
			comment: 'One place decides what is behind a port. The entry composes the process around it.',
			severity: 'error',
			from: { path: '^src/', pathNot: ['^src/lib/app\\.server\\.ts$', '^src/entry/', driven] },
			to: { path: driven }
		},
		{
			name: 'drivers-know-no-other-drivers',
			severity: 'error',
			comment: 'All but the stores, which share code: three rules below are theirs.',
			from: { path: '^src/lib/adapters/(?!(?:web|tasks|sql|sqlite|postgres)/)([^/]+)/' },
			to: { path: '^src/lib/adapters/', pathNot: '^src/lib/adapters/$1/' }
		},
		{
			name: 'sql-knows-only-types-of-dialects',
			comment:
				'The repositories are written once, against types of the schemas; they run on either.',
			severity: 'error',
			from: { path: '^src/lib/adapters/sql/' },
			to: {
				path: '^src/lib/adapters/(?:sqlite|postgres)/',
				dependencyTypesNot: ['type-only']
			}
		},
		{
			name: 'sql-knows-no-other-drivers',
			severity: 'error',
			from: { path: '^src/lib/adapters/sql/' },
			to: { path: '^src/lib/adapters/(?!sql/|sqlite/|postgres/)' }
		},
		{
			name: 'dialects-know-only-sql',
			comment: 'A dialect brings its schema and its opener.',
			severity: 'error',
			from: { path: '^src/lib/adapters/(sqlite|postgres)/' },
			to: {
				path: '^src/lib/adapters/',
				pathNot: ['^src/lib/adapters/$1/', '^src/lib/adapters/sql/']
			}
		},
		{
			name: 'product-knows-no-entry',
			comment: 'The entry and the operator commands import the product, not the other way round.',
			severity: 'error',
			from: { path: '^src/(?!entry/)' },
			to: { path: '^(?:src/entry|bin)/' }
		},
		{
			name: 'production-knows-no-tools',
			comment: 'What runs in production imports no tools of developers and no tests.',
			severity: 'error',
			from: { path: '^(?:src|bin)/' },
			to: { path: '^(?:dev|tests|bench)/' }
		},
		{
			name: 'no-circles',
			severity: 'error',
			from: {},
			to: { circular: true }
		},
		{
			name: 'no-orphans',
			comment: 'What nothing imports and what imports nothing is left over.',
			severity: 'error',
			from: { orphan: true, path: '^src/lib/', pathNot: '\\.d\\.ts$' },
			to: {}
		}
	],
	options: {
		// Includes imports of types, which compilation erases.
		tsPreCompilationDeps: true,
		doNotFollow: { path: 'node_modules' },
		// Separate applications that the benchmark compares with.
		exclude: { path: '^bench/(?:floor|peer)/' },
		enhancedResolveOptions: {
			exportsFields: ['exports'],
			conditionNames: ['import', 'node', 'default', 'types', 'svelte'],
			extensions: ['.ts', '.js', '.svelte', '.json', '.d.ts']
		}
	}
};
