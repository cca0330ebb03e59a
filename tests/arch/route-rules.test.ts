import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { projectRoot, scratchCopy, type ScratchCopy } from '../support/files/scratch-copy.ts';
import { runTool } from '../support/process/run-program.ts';
import testsConfig from '../tsconfig.json' with { type: 'json' };

/**
 * A copy of the product is compiled with other routes than it has, and with routes that do more than
 * their rules say. `npm run check:types` shows that the product itself compiles.
 */

const WEB = '#lib/adapters/web';
const RULES = 'src/lib/adapters/web/route-rules.ts';
const GENERATED = 'node_modules/$app/types/index.d.ts';

/** What renaming `/app` and `/api/hello`, and adding `/notes` and `/api/notes`, would generate. */
const otherRoutes = (generated: string): string =>
	generated
		.replaceAll('"/app"', '"/application"')
		.replaceAll('"/api/hello"', '"/api/hi"')
		.replace('PageRouteId(): ', '$&"/notes" | ')
		.replace('EndpointRouteId(): ', '$&"/api/notes" | ');

const action = (page: string, actions: string): string => `
import type { Actions } from '@sveltejs/kit';
import { codeFlowActions } from '${WEB}/sign-in/code-flow.ts';
import { pageActions } from '${WEB}/page-rules.ts';
const { request, resend, verify } = codeFlowActions('login');
export const actions: Actions<Record<never, never>, any, '${page}'> = ${actions};
void [request, resend, verify];
`;

const sends = `async ({ locals: { app } }) => {
	await app.requestCode({} as never);
}`;

/** The rules of the pages after `/app` was renamed, still without `/notes`. */
const rulesOfRenamed = (): string =>
	readFileSync(join(projectRoot, 'src/lib/adapters/web/page-rules.ts'), 'utf8')
		.replaceAll('./edge', `${WEB}/edge`)
		.replace("'/app':", "'/application':");

const rulesThatClosePublicPage = (): string =>
	rulesOfRenamed()
		.replace("'/application':", "'/notes': { access: 'public' }, '/application':")
		.replace("'/(public)/contact': { access: 'public'", "'/(public)/contact': { access: 'session'");

const planted: Readonly<Record<string, readonly [code: string, complaint: string]>> = {
	'a page without rules': [rulesOfRenamed(), `Property '"/notes"' is missing`],
	'a page of a public group that needs a session': [
		rulesThatClosePublicPage(),
		`'"session"' is not assignable to type '"public"'`
	],
	'an action that sends, without any rules': [
		action('/docs', `{ default: ${sends} }`),
		"Property 'requestCode' does not exist"
	],
	'an action that sends, with the default limit': [
		action('/auth/sign-out', `pageActions('/auth/sign-out', { default: ${sends} })`),
		"Property 'requestCode' does not exist"
	],
	'an action that checks, with the default limit': [
		action('/auth/sign-out', 'pageActions("/auth/sign-out", { default: verify })'),
		'Type \'CountedAction<"check">\' is not assignable'
	],
	'an action that the rules do not name': [
		action(
			'/auth/login',
			'pageActions("/auth/login", { ...codeFlowActions("login"), more: resend })'
		),
		'missingInPageRules'
	],
	'an action that acts on accounts, without being for operators': [
		action(
			'/auth/sign-out',
			"pageActions('/auth/sign-out', { default: ({ locals: { app } }) => app.actOnAccount({} as never) })"
		),
		"Property 'actOnAccount' does not exist"
	],
	'an endpoint that checks a code without the limit of checks': [
		`import { endpoint } from '${WEB}/api/endpoint.ts';
import { updateUser } from '${WEB}/account/operations.ts';
export const { POST } = endpoint(updateUser, async ({ locals: { app } }) => {
	await app.verifyCode({} as never);
	return { ok: true, value: { status: true } };
});`,
		"Property 'verifyCode' does not exist"
	]
};

const fileOf = (title: string): string => `src/planted-${title.replaceAll(/\W+/g, '-')}.ts`;

describe('the compiler', () => {
	let copy: ScratchCopy;
	let lines: readonly string[] = [];

	beforeAll(async () => {
		copy = scratchCopy();
		copy.plant('routes.d.ts', otherRoutes(readFileSync(join(projectRoot, GENERATED), 'utf8')));
		for (const [title, [code]] of Object.entries(planted)) copy.plant(fileOf(title), code);
		const { compilerOptions } = testsConfig;
		const config = {
			compilerOptions: { ...compilerOptions, paths: { '$app/types': ['./routes.d.ts'] } },
			files: ['src/app.d.ts', RULES, 'routes.d.ts', ...Object.keys(planted).map(fileOf)]
		};
		writeFileSync(join(copy.root, 'tsconfig.json'), JSON.stringify(config));
		const { output } = await runTool(copy.root, '@typescript/native/bin/tsc', '--pretty', 'false');
		lines = output.split('\n');
	}, 180_000);
	afterAll(() => copy.remove());

	const errorsIn = (file: string): string => {
		const from = lines.findIndex((line) => line.startsWith(`${file}(`));
		const rest = lines.slice(from + 1);
		const next = rest.findIndex((line) => /^\S/.test(line) && !line.startsWith(`${file}(`));
		return from < 0 ? '' : lines.slice(from, next < 0 ? undefined : from + 1 + next).join('\n');
	};

	test.each(Object.entries(planted))('refuses %s', (title, [, complaint]) => {
		expect(errorsIn(fileOf(title))).toContain(complaint);
	});

	test('refuses the rules of a page that was renamed', () => {
		const errors = errorsIn('src/lib/adapters/web/page-rules.ts');
		expect(errors).toContain("''/app'' does not exist");
	});

	test('refuses an operation whose endpoint was renamed', () => {
		const errors = errorsIn('src/lib/adapters/web/service/operations.ts');
		expect(errors).toContain(`Type '"/api/hello"' is not assignable`);
	});

	test('refuses an endpoint without operation and rules', () => {
		const errors = errorsIn(RULES);
		expect(errors).toContain('missing the following properties');
		expect(errors).toMatch(/"\/api\/hi".*"\/api\/notes"|"\/api\/notes".*"\/api\/hi"/);
	});

	test('refuses nothing else', () => {
		// The list of operations has the one whose endpoint was renamed.
		const files = ['operations', 'page-rules', 'route-rules', 'service/operations'];
		const expected = files.map((name) => `src/lib/adapters/web/${name}.ts`);
		const named = lines.flatMap((line) => /^(\S+?)\(/.exec(line)?.[1] ?? []);
		const others = named.filter((file) => !file.startsWith('src/planted-'));
		expect([...new Set(others)].sort()).toEqual(expected.sort());
	});
});
