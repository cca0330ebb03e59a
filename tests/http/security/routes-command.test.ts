import { beforeAll, describe, expect, test } from 'vitest';
import { projectRoot } from '../../support/files/scratch-copy.ts';
import { builtChanges, builtRoutes } from '../../support/http/routes.ts';
import { runNode } from '../../support/process/run-program.ts';
import { PROTECTED_ROUTES } from './every-route.ts';

interface Row {
	readonly route: string;
	/** With the form action, as in `POST ?/request`. */
	readonly method: string;
	readonly protection: string;
	readonly limits: string;
	readonly store: string;
}

/** The rows of the table, without its header and its legend. */
const rowsOf = (output: string): readonly Row[] =>
	output
		.split('\n\n')[0]
		?.split('\n')
		.slice(1)
		.map((line) => {
			const [route = '', method = '', protection = '', limits = '', store = ''] =
				line.split(/ {2,}/);
			return { route, method, protection, limits, store };
		}) ?? [];

describe('npm run routes', () => {
	let rows: readonly Row[] = [];

	beforeAll(async () => {
		const { status, output } = await runNode(projectRoot, 'dev/routes.ts');
		expect(status).toBe(0);
		rows = rowsOf(output);
	});

	test('prints every page, form action and method of the build, and nothing else', async () => {
		const routes = await builtRoutes();
		const changes = await builtChanges();
		const reading = await Promise.all(
			routes.map(async ({ id, page, endpoint }) => {
				const methods = endpoint === null ? [] : Object.keys(await endpoint());
				const answersAll = methods.length === 1 && methods[0] === 'fallback';
				if (answersAll) return [`${id} any`];
				return page !== null || methods.includes('GET') ? [`${id} GET`] : [];
			})
		);
		const changing = changes.map(({ route, method, action }) =>
			action === null || action === 'default'
				? `${route} ${method}`
				: `${route} ${method} ?/${action}`
		);
		expect(routes.length).toBeGreaterThan(30);
		expect(rows.map(({ route, method }) => `${route} ${method}`).sort()).toEqual(
			[...reading.flat(), ...changing].sort()
		);
	});

	test('shows for every protected route that it needs a session, and for every change that its origin is checked', () => {
		const needsSession = (row: Row): boolean => row.protection.split(', ').includes('session');
		const guarded = rows.filter(({ route }) => PROTECTED_ROUTES.includes(route));
		expect(guarded.length).toBeGreaterThanOrEqual(PROTECTED_ROUTES.length);
		expect(guarded.filter((row) => !needsSession(row))).toEqual([]);
		const posts = rows.filter(({ method }) => method.startsWith('POST'));
		expect(posts.filter(({ protection }) => !protection.includes('origin'))).toEqual([]);
		expect(posts.filter(({ store }) => store !== 'always')).toEqual([]);
	});

	test.each([
		['/operators GET', 'session, operator', 'none', 'always'],
		['/auth/sign-in POST ?/request', 'public, origin, form token', 'default, send', 'always'],
		['/api/auth/change-email POST', 'session, origin', 'default, send', 'always'],
		['/api/auth/get-session GET', 'public', 'default', 'unless cached'],
		['/api/hello GET', 'session', 'none', 'unless cached'],
		['/auth/verify-email GET', 'public', 'none', 'always']
	])('shows what %s needs', (handler, protection, limits, store) => {
		const row = rows.find(({ route, method }) => `${route} ${method}` === handler);
		expect(row).toMatchObject({ protection, limits, store });
	});
});
