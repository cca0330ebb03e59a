import js from '@eslint/js';
import prettier from 'eslint-config-prettier';
import svelte from 'eslint-plugin-svelte';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const property = (object, name) => [
	`MemberExpression[object.name='${object}'][property.name='${name}']`,
	`MemberExpression[object.name='${object}'][property.value='${name}']`
];
const ban = (selectors, message) => selectors.map((selector) => ({ selector, message }));

/** Banned everywhere in `src`. */
const notInSource = [
	...ban(property('Math', 'random'), 'Guessable: draw from the Random port.'),
	...ban(['TSEnumDeclaration'], 'Not erasable: use a union of strings.'),
	// A formatter per rendered page took a quarter of its time and a third of a busy server's memory.
	...ban(
		[
			"NewExpression[callee.object.name='Intl']:not(AssignmentExpression[operator='??='] > NewExpression)"
		],
		'Takes long and leaves memory behind: make it once, by `??=`, and keep it.'
	)
];

/** Banned in the domain, in addition. A compiler without DOM and Node types still accepts these. */
const notInDomain = [
	...ban(
		[
			...property('Date', 'now'),
			"NewExpression[callee.name='Date'][arguments.length=0]",
			"CallExpression[callee.name='Date']"
		],
		'Time enters through the Clock port.'
	),
	...ban(
		[
			'VariableDeclarator[init.name=/^(Date|Math)$/]',
			"Identifier[name='globalThis']",
			"TSModuleDeclaration[kind='global']"
		],
		'A detour around the walls of the domain.'
	),
	...ban(
		[
			"Identifier[name='Intl']",
			'MemberExpression[property.name=/^toLocale/]',
			'MemberExpression[property.value=/^toLocale/]',
			"MemberExpression[property.name='localeCompare']"
		],
		'Depends on the language of the machine.'
	)
];

export default defineConfig(
	globalIgnores([
		'**/build/',
		'!tests/support/build/',
		'**/.svelte-kit/',
		'data/',
		'test-results/',
		'static/'
	]),
	js.configs.recommended,
	tseslint.configs.strict,
	svelte.configs.recommended,
	prettier,
	svelte.configs.prettier,
	{
		languageOptions: {
			globals: { ...globals.node, ...globals.browser },
			parserOptions: { tsconfigRootDir: import.meta.dirname }
		},
		linterOptions: { reportUnusedDisableDirectives: 'error' },
		rules: {
			// Several patterns match control characters in order to refuse them.
			'no-control-regex': 'off',
			// Only `delete` removes a variable from the environment of a process.
			'@typescript-eslint/no-dynamic-delete': 'off',
			'@typescript-eslint/consistent-type-imports': 'error',
			'@typescript-eslint/no-empty-object-type': ['error', { allowWithName: '^Stores$' }],
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }
			]
		}
	},
	{
		// A statement that is not awaited or yielded may never run.
		files: ['{src,bin}/**/*.ts'],
		languageOptions: { parserOptions: { projectService: true } },
		rules: { '@typescript-eslint/no-floating-promises': ['error', { checkThenables: true }] }
	},
	{
		files: ['**/*.svelte', '**/*.svelte.ts', '**/*.svelte.js'],
		languageOptions: {
			parserOptions: { parser: tseslint.parser, extraFileExtensions: ['.svelte'] }
		},
		// The TypeScript compiler checks names, types included.
		rules: { 'no-undef': 'off' }
	},
	{
		files: ['src/**'],
		rules: {
			'no-restricted-syntax': ['error', ...notInSource],
			'svelte/no-at-html-tags': 'error'
		}
	},
	{
		files: ['src/lib/**/*.ts'],
		// The definition of a table, a column, a colour, a setting or the data of a page or file is the best statement of its type.
		ignores: [
			'src/lib/adapters/web/{account,consent,edge,email-change,events,metrics,oidc,operators,purchases,sessions,sign-in}/**',
			'src/lib/adapters/web/web-tools.ts',
			'src/lib/domain/{account,operators}/use-cases.ts',
			'src/lib/adapters/sql/**/tables.ts',
			'src/lib/adapters/postgres/columns.ts',
			'src/lib/brand/derive-palette.ts',
			'src/lib/config/*.ts'
		],
		rules: { '@typescript-eslint/explicit-module-boundary-types': 'error' }
	},
	{
		files: ['src/lib/domain/**'],
		// A comment must not be able to turn these rules off.
		linterOptions: { noInlineConfig: true },
		rules: {
			'no-restricted-syntax': ['error', ...notInSource, ...notInDomain],
			'@typescript-eslint/triple-slash-reference': [
				'error',
				{ lib: 'never', path: 'never', types: 'never' }
			],
			'@typescript-eslint/ban-ts-comment': ['error', { 'ts-expect-error': true }]
		}
	}
);
